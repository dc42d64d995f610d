CREATE OR REPLACE FUNCTION public.open_spans(hours jsonb, since timestamp with time zone, until timestamp with time zone)
 RETURNS TABLE(opens timestamp with time zone, closes timestamp with time zone)
 LANGUAGE sql
 STABLE PARALLEL SAFE ROWS 20
AS $function$
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
  $function$
;
