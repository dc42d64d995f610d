CREATE OR REPLACE FUNCTION public.searchable_text(workspace_id uuid, language text, given text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (strip((searchable_words(given) || stems_of(language, given))) || workspace_word(workspace_id))
;
