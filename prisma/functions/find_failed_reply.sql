CREATE OR REPLACE FUNCTION public.find_failed_reply(given uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from "pending_replies" where "conversation_id" = "given" and "problem" is not null)
    or exists (
      select from "messages"
      where "conversation_id" = "given" and "direction" <> 'inbound' and "failure_dismissed_at" is null
        and coalesce("send_status" in ('failed', 'held_for_paywall'), "delivery_error" is not null)
    )
$function$
;
