CREATE OR REPLACE FUNCTION public.write_saved_reply_search()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new."search" := "searchable_text"(new."workspace_id",
    (select "search_language" from "workspaces" where "id" = new."workspace_id"),
    concat_ws(' ', new."name", new."folder", new."content"));
  return new;
end $function$
;

CREATE TRIGGER saved_replies_search BEFORE INSERT OR UPDATE OF name, folder, content ON saved_replies FOR EACH ROW EXECUTE FUNCTION write_saved_reply_search();
