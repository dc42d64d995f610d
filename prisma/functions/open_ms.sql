CREATE OR REPLACE FUNCTION public.open_ms(hours jsonb, since timestamp with time zone, until timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
    select case when hours is null or until <= since then (extract(epoch from until - since) * 1000)::bigint
      else (select coalesce(sum(extract(epoch from closes - opens) * 1000), 0)::bigint from open_spans(hours, since, until)) end
  $function$
;
