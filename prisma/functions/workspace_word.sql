CREATE OR REPLACE FUNCTION public.workspace_word(workspace_id uuid)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN array_to_tsvector(ARRAY[('w:'::text || (workspace_id)::text)])
;
