CREATE OR REPLACE FUNCTION public.write_subject_search()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new."search" := case when new."subject" is not null then "searchable_text"(new."workspace_id",
    (select "search_language" from "workspaces" where "id" = new."workspace_id"), new."subject") end;
  return new;
end $function$
;

CREATE TRIGGER conversations_search BEFORE INSERT OR UPDATE OF subject ON conversations FOR EACH ROW EXECUTE FUNCTION write_subject_search();
