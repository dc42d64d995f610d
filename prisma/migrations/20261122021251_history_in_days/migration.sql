-- Events, deliveries and attempts become partitions by day of the event's id, whose first 48 bits are milliseconds
-- (UUIDv7). Prisma knows nothing of partitions, so all of this is written by hand. No foreign key leads from one of
-- the three to another: PostgreSQL would look through all of them before it lets a day go. The statements that write
-- deliveries and attempts take the event's id from the row they belong to, and triggers delete what a key would.

alter table "attempts" rename to "old_attempts";
alter table "deliveries" rename to "old_deliveries";
alter table "events" rename to "old_events";

create table "events" (like "old_events" including defaults including constraints) partition by range ("id");
create table "deliveries" (like "old_deliveries" including defaults including constraints) partition by range ("event_id");
create table "attempts" (
    "event_id" uuid not null,
    like "old_attempts" including defaults including constraints
) partition by range ("event_id");

-- What no day was made for: nothing, unless no worker ran for days.
create table "events_default" partition of "events" default;
create table "deliveries_default" partition of "deliveries" default;
create table "attempts_default" partition of "attempts" default;

-- The lowest id of a day (UTC).
create function "history_bound"("day" date) returns uuid language sql immutable as $$
  select (lpad(to_hex((extract(epoch from "day"::timestamp) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- Makes the partitions of a day, unless they are there, and moves into them what the default ones took in meanwhile.
-- A table at a time, and only if nobody is in the way for long.
create function "add_history_day"("parent" text, "day" date) returns boolean language plpgsql as $$
declare
  part text := parent || '_' || to_char(day, 'YYYYMMDD');
  key text := case parent when 'events' then 'id' else 'event_id' end;
  low uuid := history_bound(day);
  high uuid := history_bound(day + 1);
begin
  if to_regclass(part) is not null then return false; end if;
  perform set_config('lock_timeout', '1000', true);
  execute format('create table %I (like %I including defaults including constraints)', part, parent);
  execute format('with moved as (delete from %I where %I >= %L and %I < %L returning *) insert into %I select * from moved',
    parent || '_default', key, low, key, high, part);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, part, low, high);
  return true;
end
$$;

-- Drops the partition of a day whole. What is still to be sent, and what was sent again by hand and ended since
-- `since`, is kept, with its event and attempts: it moves to the default partitions. Deliveries go first.
create function "drop_history_day"("parent" text, "day" date, "since" timestamptz) returns void language plpgsql as $$
declare
  part text := parent || '_' || to_char(day, 'YYYYMMDD');
begin
  perform set_config('lock_timeout', '1000', true);
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

-- The days that there are, and three ahead.
do $$
declare
  day date;
  parent text;
begin
  for day in
    select distinct (timestamp 'epoch' + (('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000)
      * interval '1 second')::date
    from old_events where id between history_bound(current_date - 400) and history_bound(current_date)
    union
    select current_date + ahead from generate_series(-1, 3) ahead
  loop
    foreach parent in array array['events', 'deliveries', 'attempts'] loop
      perform add_history_day(parent, day);
    end loop;
  end loop;
end
$$;

insert into "events" select * from "old_events";
insert into "deliveries" select * from "old_deliveries";
insert into "attempts" select d."event_id", a.* from "old_attempts" a join "old_deliveries" d on d."id" = a."delivery_id";

drop table "old_attempts";
drop table "old_deliveries";
drop table "old_events";

alter table "events" add constraint "events_pkey" primary key ("id");
create unique index "events_workspace_id_id_key" on "events" ("workspace_id", "id");
create index "events_created_at_idx" on "events" ("created_at");
alter table "events" add constraint "events_workspace_id_fkey"
  foreign key ("workspace_id") references "workspaces" ("id") on delete cascade on update cascade;

alter table "deliveries" add constraint "deliveries_pkey" primary key ("event_id", "hook_id");
-- Unique as far as random numbers are: an index of all days cannot promise it without the event's id.
create index "deliveries_id_key" on "deliveries" ("id");
create index "deliveries_hook_id_created_at_idx" on "deliveries" ("hook_id", "created_at" desc);
create index "deliveries_workspace_id_created_at_idx" on "deliveries" ("workspace_id", "created_at" desc);
-- What a hook has yet to get, in the order in which it is due: what its drainer reads.
create index "deliveries_unended" on "deliveries" ("hook_id", "next_attempt_at", "event_id") where "ended_at" is null;
-- The log of what did not arrive, which is little among much, by the words of its filter.
create index "deliveries_undelivered" on "deliveries" (
  "workspace_id",
  (case
    when "outcome" in ('dropped', 'exhausted') then 'failed'
    when "outcome" = 'cancelled' then 'cancelled'
    when "attempts" > "earlier_attempts" then 'retrying'
    else 'waiting' end),
  "created_at" desc, "id" desc
) where "outcome" is distinct from 'delivered';
-- What failed lately and can be sent again.
create index "deliveries_failed" on "deliveries" ("workspace_id", "ended_at") where "outcome" in ('dropped', 'exhausted');
-- What was sent again by hand outlives its day.
create index "deliveries_sent_again" on "deliveries" ("ended_at") where "earlier_attempts" > 0;
alter table "deliveries" add constraint "deliveries_workspace_id_hook_id_fkey"
  foreign key ("workspace_id", "hook_id") references "hooks" ("workspace_id", "id") on delete cascade on update cascade;

alter table "attempts" add constraint "attempts_pkey" primary key ("event_id", "delivery_id", "number");

-- What a foreign key would do: deliveries go with their event, attempts with their delivery. Whole days go without it.
create function "delete_deliveries_of_events"() returns trigger language plpgsql as $$
begin
  delete from deliveries d using gone where d.event_id = gone.id;
  return null;
end
$$;
create trigger "deliveries_go_with_their_event" after delete on "events"
  referencing old table as gone for each statement execute function "delete_deliveries_of_events"();

create function "delete_attempts_of_deliveries"() returns trigger language plpgsql as $$
begin
  delete from attempts a using gone where a.event_id = gone.event_id and a.delivery_id = gone.id;
  return null;
end
$$;
create trigger "attempts_go_with_their_delivery" after delete on "deliveries"
  referencing old table as gone for each statement execute function "delete_attempts_of_deliveries"();
