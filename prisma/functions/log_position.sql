CREATE OR REPLACE FUNCTION public.log_position(xid text)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(max(number), 0) * (1::bigint << 44) + xid::bigint from event_log_epochs
$function$
;
