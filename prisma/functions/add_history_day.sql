CREATE OR REPLACE FUNCTION public.add_history_day(parent text, day date)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  part text := parent || '_' || to_char(day, 'YYYYMMDD');
  key text := case parent when 'events' then 'id' else 'event_id' end;
  low uuid := history_bound(day);
  high uuid := history_bound(day + 1);
begin
  if to_regclass(part) is not null then return false; end if;
  perform lock_history(parent, true);
  -- Another worker may have made it meanwhile.
  if to_regclass(part) is not null then return false; end if;
  execute format('create table %I (like %I including defaults including constraints)', part, parent);
  if parent = 'deliveries' then perform vacuum_by_number(part::regclass); end if;
  execute format('with moved as (delete from %I where %I >= %L and %I < %L returning *) insert into %I select * from moved',
    parent || '_default', key, low, key, high, part);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, part, low, high);
  return true;
end
$function$
;
