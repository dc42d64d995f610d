CREATE OR REPLACE FUNCTION public.searchable_words(given text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN to_tsvector('simple'::regconfig, separated_words(given))
;
