-- AlterTable
ALTER TABLE "conversations" ADD COLUMN     "snoozed_until" TIMESTAMPTZ;

-- Only pending conversations are snoozed: every change of the status ends the snooze.
create index "conversations_snoozed" on "conversations" ("snoozed_until")
  where "snoozed_until" is not null and "merged_into_id" is null and "removal" is null;
create index "inbox_snoozed" on "conversations" ("workspace_id", "status", "last_message_at" desc, "id" desc)
  where "snoozed_until" is not null and "merged_into_id" is null and not "is_test" and "removal" is null;
