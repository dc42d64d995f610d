CREATE OR REPLACE FUNCTION public.words_of_stem(language text, words text[], given text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ARRAY(SELECT word.word FROM unnest(tsvector_to_array(searchable_words(words_of_stem.given))) word(word) WHERE (("left"(word.word, 1) = ANY (ARRAY(SELECT "left"(lower(sought.sought), 1) AS "left" FROM unnest(words_of_stem.words) sought(sought)))) AND (tsvector_to_array(stems_of(words_of_stem.language, word.word)) && ARRAY(SELECT unnest(tsvector_to_array(stems_of(words_of_stem.language, sought.sought))) AS unnest FROM unnest(words_of_stem.words) sought(sought)))))
;
