CREATE OR REPLACE FUNCTION public.start_log_epoch()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  current_history text := (
    select system_identifier::text || '-' || left(pg_walfile_name(pg_current_wal_lsn()), 8) from pg_control_system());
begin
  if current_history = (select history from event_log_epochs order by number desc limit 1) then return; end if;
  lock table only events in share row exclusive mode;
  insert into event_log_epochs (history)
  select current_history
  where current_history is distinct from (select history from event_log_epochs order by number desc limit 1);
end
$function$
;
