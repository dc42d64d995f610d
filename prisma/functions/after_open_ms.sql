CREATE OR REPLACE FUNCTION public.after_open_ms(hours jsonb, since timestamp with time zone, ms bigint)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
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
end $function$
;
