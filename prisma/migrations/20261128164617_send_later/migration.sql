-- AlterTable
ALTER TABLE "conversations" ADD COLUMN     "send_later_at" TIMESTAMPTZ;

-- AlterTable
ALTER TABLE "pending_replies" ADD COLUMN     "sends_later" BOOLEAN NOT NULL DEFAULT false;

create function "update_send_later"() returns trigger language plpgsql as $$
declare
  changed_id uuid := case when tg_op = 'DELETE' then old."conversation_id" else new."conversation_id" end;
  next_at timestamptz;
begin
  perform from "conversations" where "id" = changed_id for no key update;
  next_at := (select min("send_at") from "pending_replies"
    where "conversation_id" = changed_id and "sends_later" and "problem" is null);
  update "conversations" set "send_later_at" = next_at where "id" = changed_id and "send_later_at" is distinct from next_at;
  return null;
end $$;

create trigger "pending_replies_send_later_insert" after insert on "pending_replies"
  for each row when (new."sends_later") execute function "update_send_later"();
create trigger "pending_replies_send_later_update" after update of "send_at", "sends_later", "problem" on "pending_replies"
  for each row when (new."sends_later" or old."sends_later") execute function "update_send_later"();
create trigger "pending_replies_send_later_delete" after delete on "pending_replies"
  for each row when (old."sends_later" and old."problem" is null) execute function "update_send_later"();
