CREATE OR REPLACE FUNCTION public.mark_conversation_of()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    -- Not when the conversation is deleted, which takes its figures along.
    insert into "report_changes" ("workspace_id", "conversation_id")
    select "workspace_id", "id" from "conversations" where "id" = old."conversation_id";
  else
    insert into "report_changes" ("workspace_id", "conversation_id") values (new."workspace_id", new."conversation_id");
  end if;
  return null;
end $function$
;

CREATE TRIGGER conversation_tags_reported AFTER INSERT OR DELETE OR UPDATE OF key ON conversation_tags FOR EACH ROW EXECUTE FUNCTION mark_conversation_of();
CREATE TRIGGER ratings_reported AFTER INSERT OR DELETE OR UPDATE OF score, conversation_id ON ratings FOR EACH ROW EXECUTE FUNCTION mark_conversation_of();
CREATE TRIGGER sla_clocks_reported AFTER UPDATE OF breached_at ON sla_clocks FOR EACH ROW WHEN (old.breached_at IS DISTINCT FROM new.breached_at) EXECUTE FUNCTION mark_conversation_of();
