-- Has the dead rows of a day's deliveries, one for each delivery that ended, vacuumed by number. As a fifth of the table, the
-- default, they grow with the day: 400,000 of 2,160,000. By number it costs little: while less than a fiftieth of the pages
-- have dead rows, PostgreSQL leaves the indexes alone.
create function "vacuum_by_number"("part" regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000)', part);
end
$$;

create or replace function "add_history_day"("parent" text, "day" date) returns boolean language plpgsql as $$
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
$$;

select vacuum_by_number(inhrelid) from pg_inherits
where inhparent = 'deliveries'::regclass and inhrelid <> 'deliveries_default'::regclass;
