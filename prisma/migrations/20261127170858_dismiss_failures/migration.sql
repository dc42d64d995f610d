-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "failure_dismissed_at" TIMESTAMPTZ;

-- Failures that a newer reply hid until now stay hidden.
update "messages" m set "failure_dismissed_at" = now() from "conversations" c
  where c."id" = m."conversation_id" and not c."has_failed_reply" and m."direction" <> 'inbound'
    and coalesce(m."send_status" in ('failed', 'held_for_paywall'), m."delivery_error" is not null);

create index "messages_not_sent" on "messages" ("conversation_id")
  where "direction" <> 'inbound' and "failure_dismissed_at" is null
    and coalesce("send_status" in ('failed', 'held_for_paywall'), "delivery_error" is not null);

-- Any failed message counts until it is sent or dismissed, whatever was sent after it.
create or replace function "find_failed_reply"("given" uuid) returns boolean language sql stable as $$
  select exists (select from "pending_replies" where "conversation_id" = "given" and "problem" is not null)
    or exists (
      select from "messages"
      where "conversation_id" = "given" and "direction" <> 'inbound' and "failure_dismissed_at" is null
        and coalesce("send_status" in ('failed', 'held_for_paywall'), "delivery_error" is not null)
    )
$$;

drop trigger "messages_failed_reply_insert" on "messages";
drop trigger "messages_failed_reply_update" on "messages";
create trigger "messages_failed_reply_insert" after insert on "messages" for each row
  when (new."direction" <> 'inbound'
    and coalesce(new."send_status" in ('failed', 'held_for_paywall'), new."delivery_error" is not null))
  execute function "update_failed_reply"();
-- Fires only when a failure begins or ends, or is dismissed or shown again.
create trigger "messages_failed_reply_update"
  after update of "send_status", "delivery_error", "failure_dismissed_at" on "messages" for each row
  when (new."direction" <> 'inbound'
    and (old."failure_dismissed_at" is null
        and coalesce(old."send_status" in ('failed', 'held_for_paywall'), old."delivery_error" is not null))
      <> (new."failure_dismissed_at" is null
        and coalesce(new."send_status" in ('failed', 'held_for_paywall'), new."delivery_error" is not null)))
  execute function "update_failed_reply"();
