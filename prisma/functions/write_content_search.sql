CREATE OR REPLACE FUNCTION public.write_content_search()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new."search" := "searchable_text"(new."workspace_id",
    (select "search_language" from "workspaces" where "id" = new."workspace_id"), left(new."content", tg_argv[0]::int));
  return new;
end $function$
;

CREATE TRIGGER messages_search BEFORE INSERT OR UPDATE OF content ON messages FOR EACH ROW EXECUTE FUNCTION write_content_search('8000');
CREATE TRIGGER notes_search BEFORE INSERT OR UPDATE OF content ON notes FOR EACH ROW EXECUTE FUNCTION write_content_search('10000');
