-- Detaching, dropping and attaching a day also lock the table that its foreign key refers to, `hooks` or `workspaces`,
-- and took that lock last: a statement that had locked a hook and then needed `deliveries` waited for the change of the
-- days, and that for the statement. Now all locks are taken first, in the order of everybody else. Each is waited for
-- for a quarter of a second, and all of them for less than the second after which PostgreSQL calls it a deadlock.
create function "lock_history"("parent" text, "adds" boolean) returns void language plpgsql as $$
declare
  referenced text := case parent when 'deliveries' then 'hooks' when 'events' then 'workspaces' end;
begin
  perform set_config('lock_timeout', '250', true);
  if referenced is not null then
    execute format('lock table only %I in %s mode', referenced,
      case when adds then 'share row exclusive' else 'access exclusive' end);
  end if;
  execute format('lock table only %I in %s mode', parent,
    case when adds then 'share update exclusive' else 'access exclusive' end);
  execute format('lock table only %I in access exclusive mode', parent || '_default');
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
  execute format('with moved as (delete from %I where %I >= %L and %I < %L returning *) insert into %I select * from moved',
    parent || '_default', key, low, key, high, part);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, part, low, high);
  return true;
end
$$;

create or replace function "drop_history_day"("parent" text, "day" date, "since" timestamptz) returns void language plpgsql as $$
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
$$;
