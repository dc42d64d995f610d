CREATE OR REPLACE FUNCTION public.vacuum_by_number(part regclass)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('alter table %s set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000)', part);
end
$function$
;
