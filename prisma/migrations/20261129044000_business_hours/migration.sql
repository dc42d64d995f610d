-- AlterTable
ALTER TABLE "workspaces" ADD COLUMN     "business_hours" JSONB;

-- AlterTable
ALTER TABLE "teams" ADD COLUMN     "business_hours" JSONB;

-- AlterTable
ALTER TABLE "sla_clocks" ADD COLUMN     "counted_from" TIMESTAMPTZ,
ADD COLUMN     "remaining_ms" BIGINT;

-- Not `null` of JSON, which no statement expects.
alter table "workspaces" add constraint "workspaces_business_hours" check (jsonb_typeof("business_hours") = 'object');
alter table "teams" add constraint "teams_business_hours" check (jsonb_typeof("business_hours") = 'object');

-- Business hours are counted in the statements that change SLA clocks, so that a due time is exact when its change is committed.
-- `hours` is a `BusinessHours` (server/core/business-hours.ts).

-- Open times between two timestamps, in order and without overlaps. A holiday closes the hours that start on its day, so the night
-- shift of the day before still ends in the morning. `at time zone` knows the changes to summer time. The day before is included for
-- hours that end after midnight.
create function "open_spans"("hours" jsonb, "since" timestamptz, "until" timestamptz)
  returns table ("opens" timestamptz, "closes" timestamptz)
  language sql stable parallel safe rows 20 as $$
    select greatest(starts, taken, since), least(ends, until) from (
      select starts, ends, max(ends) over (order by starts, ends rows between unbounded preceding and 1 preceding) as taken
      from generate_series(
        (since at time zone (hours ->> 'timeZone'))::date::timestamp - interval '1 day',
        (until at time zone (hours ->> 'timeZone'))::date::timestamp, interval '1 day') as day
      cross join lateral jsonb_array_elements(hours -> 'week' -> (extract(isodow from day)::int - 1)) as span
      cross join lateral (select
        (day + make_interval(mins => (span ->> 0)::int)) at time zone (hours ->> 'timeZone') as starts,
        (day + make_interval(mins => (span ->> 1)::int)) at time zone (hours ->> 'timeZone') as ends
      ) as spans
      where not hours -> 'holidays' @> jsonb_build_array(jsonb_build_object('date', to_char(day, 'YYYY-MM-DD')))
    ) as s
    where greatest(starts, taken, since) < least(ends, until)
    order by 1
  $$;

-- Open time between two timestamps, in milliseconds. Without hours all of it, which is negative if `until` is earlier.
create function "open_ms"("hours" jsonb, "since" timestamptz, "until" timestamptz) returns bigint
  language sql stable parallel safe as $$
    select case when hours is null or until <= since then (extract(epoch from until - since) * 1000)::bigint
      else (select coalesce(sum(extract(epoch from closes - opens) * 1000), 0)::bigint from open_spans(hours, since, until)) end
  $$;

-- When so much open time has passed. Counts four weeks at a time and at most four years: the longest SLA target of 90 days is due then
-- at the latest, however few the hours are. Without hours, and for a time that has passed, all time counts.
create function "after_open_ms"("hours" jsonb, "since" timestamptz, "ms" bigint) returns timestamptz
  language plpgsql stable parallel safe as $$
declare
  span interval := interval '672 hours';
  start timestamptz := since;
  remaining bigint := ms;
  counted bigint;
begin
  if hours is null or ms <= 0 then return since + make_interval(secs => ms / 1000.0); end if;
  for i in 1..52 loop
    counted := open_ms(hours, start, start + span);
    if counted >= remaining then
      return (select opens + make_interval(secs => (remaining - before) / 1000.0) from (
        select opens, before, before + length as after from (
          select opens, length, coalesce(sum(length) over (order by opens rows between unbounded preceding and 1 preceding), 0) as before
          from (select opens, extract(epoch from closes - opens) * 1000 as length
            from open_spans(hours, start, start + span)) as spans
        ) as summed
      ) as counted where after >= remaining order by opens limit 1);
    end if;
    remaining := remaining - counted;
    start := start + span;
  end loop;
  return start;
end $$;
