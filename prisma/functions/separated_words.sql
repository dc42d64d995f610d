CREATE OR REPLACE FUNCTION public.separated_words(given text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN translate(given, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~ ¡«·»¿–—‘’‚“”„•…、。「」'::text, repeat(' '::text, 52))
;
