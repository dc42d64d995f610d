CREATE OR REPLACE FUNCTION public.update_failed_reply()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed_id uuid := case when tg_op = 'DELETE' then old."conversation_id" else new."conversation_id" end;
  has_failed boolean;
begin
  perform from "conversations" where "id" = changed_id for no key update;
  has_failed := "find_failed_reply"(changed_id);
  update "conversations" set "has_failed_reply" = has_failed where "id" = changed_id and "has_failed_reply" <> has_failed;
  return null;
end $function$
;

CREATE TRIGGER messages_failed_reply_insert AFTER INSERT ON messages FOR EACH ROW WHEN (new.direction <> 'inbound'::message_direction AND COALESCE(new.send_status = ANY (ARRAY['failed'::send_status, 'held_for_paywall'::send_status]), new.delivery_error IS NOT NULL)) EXECUTE FUNCTION update_failed_reply();
CREATE TRIGGER messages_failed_reply_update AFTER UPDATE OF send_status, delivery_error, failure_dismissed_at ON messages FOR EACH ROW WHEN (new.direction <> 'inbound'::message_direction AND (old.failure_dismissed_at IS NULL AND COALESCE(old.send_status = ANY (ARRAY['failed'::send_status, 'held_for_paywall'::send_status]), old.delivery_error IS NOT NULL)) <> (new.failure_dismissed_at IS NULL AND COALESCE(new.send_status = ANY (ARRAY['failed'::send_status, 'held_for_paywall'::send_status]), new.delivery_error IS NOT NULL))) EXECUTE FUNCTION update_failed_reply();
CREATE TRIGGER pending_replies_failed_reply_delete AFTER DELETE ON pending_replies FOR EACH ROW WHEN (old.problem IS NOT NULL) EXECUTE FUNCTION update_failed_reply();
CREATE TRIGGER pending_replies_failed_reply_update AFTER UPDATE OF problem ON pending_replies FOR EACH ROW WHEN (new.problem IS DISTINCT FROM old.problem) EXECUTE FUNCTION update_failed_reply();
