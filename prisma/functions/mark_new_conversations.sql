CREATE OR REPLACE FUNCTION public.mark_new_conversations()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into "report_changes" ("workspace_id", "conversation_id") select "workspace_id", "id" from "inserted" where not "is_test";
  return null;
end $function$
;

CREATE TRIGGER conversations_reported_insert AFTER INSERT ON conversations REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION mark_new_conversations();
