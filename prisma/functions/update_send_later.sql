CREATE OR REPLACE FUNCTION public.update_send_later()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed_id uuid := case when tg_op = 'DELETE' then old."conversation_id" else new."conversation_id" end;
  next_at timestamptz;
begin
  perform from "conversations" where "id" = changed_id for no key update;
  next_at := (select min("send_at") from "pending_replies"
    where "conversation_id" = changed_id and "sends_later" and "problem" is null);
  update "conversations" set "send_later_at" = next_at where "id" = changed_id and "send_later_at" is distinct from next_at;
  return null;
end $function$
;

CREATE TRIGGER pending_replies_send_later_delete AFTER DELETE ON pending_replies FOR EACH ROW WHEN (old.sends_later AND old.problem IS NULL) EXECUTE FUNCTION update_send_later();
CREATE TRIGGER pending_replies_send_later_insert AFTER INSERT ON pending_replies FOR EACH ROW WHEN (new.sends_later) EXECUTE FUNCTION update_send_later();
CREATE TRIGGER pending_replies_send_later_update AFTER UPDATE OF send_at, sends_later, problem ON pending_replies FOR EACH ROW WHEN (new.sends_later OR old.sends_later) EXECUTE FUNCTION update_send_later();
