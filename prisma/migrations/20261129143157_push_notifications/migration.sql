-- AlterTable
ALTER TABLE "notification_preferences" ADD COLUMN     "push" TEXT[] DEFAULT ARRAY['assigned', 'mentioned', 'contact_wrote', 'assignee_away', 'command_failed']::TEXT[];

-- CreateTable
CREATE TABLE "push_subscriptions" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "endpoint" TEXT NOT NULL,
    "p256dh" TEXT NOT NULL,
    "auth" TEXT NOT NULL,
    "device" TEXT NOT NULL,
    "last_used_at" TIMESTAMPTZ,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "push_subscriptions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "push_sends" (
    "subscription_id" UUID NOT NULL,
    "notification_id" UUID NOT NULL,

    CONSTRAINT "push_sends_pkey" PRIMARY KEY ("subscription_id","notification_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "push_subscriptions_endpoint_key" ON "push_subscriptions"("endpoint");

-- CreateIndex
CREATE INDEX "push_subscriptions_user_id_idx" ON "push_subscriptions"("user_id");

-- CreateIndex
CREATE INDEX "push_subscriptions_session_id_idx" ON "push_subscriptions"("session_id");

-- CreateIndex
CREATE INDEX "push_sends_notification_id_idx" ON "push_sends"("notification_id");

-- AddForeignKey
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "push_sends" ADD CONSTRAINT "push_sends_subscription_id_fkey" FOREIGN KEY ("subscription_id") REFERENCES "push_subscriptions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "push_sends" ADD CONSTRAINT "push_sends_notification_id_fkey" FOREIGN KEY ("notification_id") REFERENCES "notifications"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- In the transaction of any change that notifies, for teammates with a device only. Within the delay a page that is open marks what it
-- shows as read.
create function queue_push() returns trigger language plpgsql as $$
begin
  insert into job_outbox (task, payload, run_at)
  select 'send-push', json_build_object('notificationId', a.id), clock_timestamp() + interval '5 seconds'
  from added a
  where a.read_at is null and exists (select from push_subscriptions s where s.user_id = a.user_id);
  return null;
end $$;
create trigger "notifications_push" after insert on "notifications"
  referencing new table as added for each statement execute function queue_push();
