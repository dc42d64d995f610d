CREATE OR REPLACE FUNCTION public.separated_words(given text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN translate(CASE WHEN (given IS NORMALIZED) THEN given ELSE NORMALIZE(given) END, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~ ¡«·»¿–—‘’‚“”„•…、。「」'::text, repeat(' '::text, 52))
;
