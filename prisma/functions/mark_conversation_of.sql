CREATE OR REPLACE FUNCTION public.mark_conversation_of()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed record;
begin
  if tg_op = 'DELETE' then changed := old; else changed := new; end if;
  insert into "report_changes" ("workspace_id", "conversation_id") values (changed."workspace_id", changed."conversation_id");
  return null;
end $function$
;

CREATE TRIGGER conversation_tags_reported AFTER INSERT OR DELETE OR UPDATE OF key ON conversation_tags FOR EACH ROW EXECUTE FUNCTION mark_conversation_of();
CREATE TRIGGER ratings_reported AFTER INSERT OR DELETE OR UPDATE OF score, conversation_id ON ratings FOR EACH ROW EXECUTE FUNCTION mark_conversation_of();
CREATE TRIGGER sla_clocks_reported AFTER UPDATE OF breached_at ON sla_clocks FOR EACH ROW WHEN (old.breached_at IS DISTINCT FROM new.breached_at) EXECUTE FUNCTION mark_conversation_of();
