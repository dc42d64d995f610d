CREATE OR REPLACE FUNCTION public.update_next_due()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  due timestamptz := (select min("due_at") from "sla_clocks"
    where "conversation_id" = new."conversation_id" and "stopped_at" is null and "paused_at" is null);
begin
  update "conversations" set "next_due_at" = due where "id" = new."conversation_id" and "next_due_at" is distinct from due;
  return null;
end $function$
;

CREATE TRIGGER sla_clocks_next_due_insert AFTER INSERT ON sla_clocks FOR EACH ROW EXECUTE FUNCTION update_next_due();
CREATE TRIGGER sla_clocks_next_due_update AFTER UPDATE OF due_at, paused_at, stopped_at ON sla_clocks FOR EACH ROW WHEN (old.due_at IS DISTINCT FROM new.due_at OR old.paused_at IS DISTINCT FROM new.paused_at OR old.stopped_at IS DISTINCT FROM new.stopped_at) EXECUTE FUNCTION update_next_due();
