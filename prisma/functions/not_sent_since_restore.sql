CREATE OR REPLACE FUNCTION public.not_sent_since_restore()
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select 'It is not known if this was sent: the service was restored from a backup.'
$function$
;
