CREATE OR REPLACE FUNCTION public.find_failed_reply(given uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
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
$function$
;
