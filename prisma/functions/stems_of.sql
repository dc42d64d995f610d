CREATE OR REPLACE FUNCTION public.stems_of(language text, given text)
 RETURNS tsvector
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
  return case when "language" = 'simple' then '' else to_tsvector(('pg_catalog.' || "language")::regconfig, "separated_words"("given")) end;
end $function$
;
