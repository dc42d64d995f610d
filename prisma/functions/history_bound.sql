CREATE OR REPLACE FUNCTION public.history_bound(day date)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select (lpad(to_hex((extract(epoch from "day"::timestamp) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$function$
;
