CREATE OR REPLACE FUNCTION public.mark_first_reply()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from "conversation_facts" where "conversation_id" = new."conversation_id" and "replied_at" is not null) then
    insert into "report_changes" ("workspace_id", "conversation_id") values (new."workspace_id", new."conversation_id");
  end if;
  return null;
end $function$
;

CREATE TRIGGER messages_reported_insert AFTER INSERT ON messages FOR EACH ROW WHEN (new.direction = 'outbound'::message_direction AND (new.author_kind = ANY (ARRAY['teammate'::actor_kind, 'workflow'::actor_kind, 'program'::actor_kind])) AND NOT new.automatic AND COALESCE(new.send_status = 'sent'::send_status, true)) EXECUTE FUNCTION mark_first_reply();
CREATE TRIGGER messages_reported_update AFTER UPDATE OF send_status ON messages FOR EACH ROW WHEN (new.direction = 'outbound'::message_direction AND (new.author_kind = ANY (ARRAY['teammate'::actor_kind, 'workflow'::actor_kind, 'program'::actor_kind])) AND NOT new.automatic AND new.send_status = 'sent'::send_status AND old.send_status IS DISTINCT FROM new.send_status) EXECUTE FUNCTION mark_first_reply();
