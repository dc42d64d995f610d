-- A forward that failed counts as long as no reply or forward is newer. A forward never hides a reply that failed.
create or replace function "find_failed_reply"("given" uuid) returns boolean language sql stable as $$
  with m as (
    select "direction", "created_at", "id",
      coalesce("send_status" in ('failed', 'held_for_paywall'), "delivery_error" is not null) as "failed"
    from (
      select "direction", "send_status", "delivery_error", "created_at", "id" from "messages"
      where "conversation_id" = "given" order by "created_at" desc limit 100
    ) "newest"
  )
  select exists (select from "pending_replies" where "conversation_id" = "given" and "problem" is not null)
    or coalesce((
      select "failed" from m where "direction" = 'outbound' order by "created_at" desc, "id" desc limit 1
    ), false)
    or coalesce((
      select "failed" from m where "direction" <> 'inbound' order by "created_at" desc, "id" desc limit 1
    ), false)
$$;

drop trigger "messages_failed_reply_insert" on "messages";
drop trigger "messages_failed_reply_update" on "messages";
-- The transitions between `queued` and `sending` change nothing.
create trigger "messages_failed_reply_insert" after insert on "messages" for each row
  when (new."direction" <> 'inbound') execute function "update_failed_reply"();
create trigger "messages_failed_reply_update" after update of "send_status", "delivery_error" on "messages" for each row
  when (new."direction" <> 'inbound'
    and (old."send_status" is distinct from new."send_status" or old."delivery_error" is distinct from new."delivery_error")
    and (coalesce(old."send_status" not in ('queued', 'sending'), true) or coalesce(new."send_status" not in ('queued', 'sending'), true)))
  execute function "update_failed_reply"();

update "conversations" set "has_failed_reply" = true where not "has_failed_reply" and "id" in (
  select "conversation_id" from "messages" where "direction" = 'forward'
    and ("send_status" in ('failed', 'held_for_paywall') or ("send_status" is null and "delivery_error" is not null))
) and "find_failed_reply"("id");
