CREATE OR REPLACE FUNCTION public.queue_push()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into job_outbox (task, payload, run_at)
  select 'send-push', json_build_object('notificationId', a.id), clock_timestamp() + interval '5 seconds'
  from added a
  where a.read_at is null and exists (select from push_subscriptions s where s.user_id = a.user_id);
  return null;
end $function$
;

CREATE TRIGGER notifications_push AFTER INSERT ON notifications REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION queue_push();
