-- AlterTable
ALTER TABLE "mailboxes" ADD COLUMN     "last_received_at" TIMESTAMPTZ,
ADD COLUMN     "test_received_at" TIMESTAMPTZ,
ADD COLUMN     "test_sent_at" TIMESTAMPTZ;

update "mailboxes" m set "last_received_at" = (
  select max(c."last_inbound_at") from "conversations" c
  where c."workspace_id" = m."workspace_id" and c."mailbox_id" = m."id");
