CREATE OR REPLACE FUNCTION public.mark_changed_conversation()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into "report_changes" ("workspace_id", "conversation_id") values (new."workspace_id", new."id");
  return null;
end $function$
;

CREATE TRIGGER conversations_reported_update AFTER UPDATE OF status, resolved_at, assignee_id, team_id, removal, merged_into_id ON conversations FOR EACH ROW WHEN (NOT new.is_test AND (old.status <> new.status OR old.resolved_at IS DISTINCT FROM new.resolved_at OR old.assignee_id IS DISTINCT FROM new.assignee_id OR old.team_id IS DISTINCT FROM new.team_id OR old.removal IS DISTINCT FROM new.removal OR old.merged_into_id IS DISTINCT FROM new.merged_into_id)) EXECUTE FUNCTION mark_changed_conversation();
