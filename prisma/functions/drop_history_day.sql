CREATE OR REPLACE FUNCTION public.drop_history_day(parent text, day date, since timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  part text := parent || '_' || to_char(day, 'YYYYMMDD');
begin
  perform lock_history(parent, false);
  -- Another worker may have dropped it meanwhile.
  if to_regclass(part) is null then return; end if;
  execute format('alter table %I detach partition %I', parent, part);
  if parent = 'deliveries' then
    execute format(
      'insert into deliveries select * from %1$I where ended_at is null
         union all select * from %1$I where earlier_attempts > 0 and ended_at >= $1', part) using since;
  else
    execute format(
      'insert into %I select p.* from (
         select distinct event_id as kept from deliveries_default where event_id >= $1 and event_id < $2
       ) d join %I p on p.%I = d.kept',
      parent, part, case parent when 'events' then 'id' else 'event_id' end)
      using history_bound(day), history_bound(day + 1);
  end if;
  execute format('drop table %I', part);
end
$function$
;
