-- Whether the newest reply among the last messages failed or is held, or a scheduled reply was refused. A newer reply
-- replaces an older one that failed. Prisma does not know this column: triggers maintain it, and only the inbox reads it.
alter table "conversations" add column "has_failed_reply" boolean not null default false;

create function "find_failed_reply"("given" uuid) returns boolean language sql stable as $$
  select exists (select from "pending_replies" where "conversation_id" = "given" and "problem" is not null)
    or coalesce((
      select m."send_status" in ('failed', 'held_for_paywall') or (m."send_status" is null and m."delivery_error" is not null)
      from (
        select "direction", "send_status", "delivery_error", "created_at", "id" from "messages"
        where "conversation_id" = "given" order by "created_at" desc limit 100
      ) m
      where m."direction" = 'outbound' order by m."created_at" desc, m."id" desc limit 1
    ), false)
$$;
create function "update_failed_reply"() returns trigger language plpgsql as $$
declare
  changed_id uuid := case when tg_op = 'DELETE' then old."conversation_id" else new."conversation_id" end;
  has_failed boolean := "find_failed_reply"(changed_id);
begin
  update "conversations" set "has_failed_reply" = has_failed where "id" = changed_id and "has_failed_reply" <> has_failed;
  return null;
end $$;

-- The transitions between `queued` and `sending` change nothing.
create trigger "messages_failed_reply_insert" after insert on "messages" for each row
  when (new."direction" = 'outbound') execute function "update_failed_reply"();
create trigger "messages_failed_reply_update" after update of "send_status", "delivery_error" on "messages" for each row
  when (new."direction" = 'outbound'
    and (old."send_status" is distinct from new."send_status" or old."delivery_error" is distinct from new."delivery_error")
    and (coalesce(old."send_status" not in ('queued', 'sending'), true) or coalesce(new."send_status" not in ('queued', 'sending'), true)))
  execute function "update_failed_reply"();
create trigger "pending_replies_failed_reply_update" after update of "problem" on "pending_replies" for each row
  when (new."problem" is distinct from old."problem") execute function "update_failed_reply"();
create trigger "pending_replies_failed_reply_delete" after delete on "pending_replies" for each row
  when (old."problem" is not null) execute function "update_failed_reply"();

update "conversations" set "has_failed_reply" = true where "id" in (
  select "conversation_id" from "messages" where "direction" = 'outbound'
    and ("send_status" in ('failed', 'held_for_paywall') or ("send_status" is null and "delivery_error" is not null))
  union select "conversation_id" from "pending_replies" where "problem" is not null
) and "find_failed_reply"("id");

create index "inbox_failed" on "conversations" ("workspace_id", "status", "last_message_at" desc, "id" desc)
  where "has_failed_reply" and "merged_into_id" is null and not "is_test";
