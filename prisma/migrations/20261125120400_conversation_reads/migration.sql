-- AlterTable
ALTER TABLE "conversations" ADD COLUMN     "last_inbound_at" TIMESTAMPTZ;

-- AlterTable. Everything that exists now counts as read.
ALTER TABLE "members" ADD COLUMN     "read_before" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- CreateTable
CREATE TABLE "conversation_reads" (
    "conversation_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "read_until" TIMESTAMPTZ,

    CONSTRAINT "conversation_reads_pkey" PRIMARY KEY ("conversation_id","user_id")
);

-- CreateIndex
CREATE INDEX "conversation_reads_workspace_id_user_id_read_until_idx" ON "conversation_reads"("workspace_id", "user_id", "read_until");

-- AddForeignKey
ALTER TABLE "conversation_reads" ADD CONSTRAINT "conversation_reads_workspace_id_conversation_id_fkey" FOREIGN KEY ("workspace_id", "conversation_id") REFERENCES "conversations"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "conversation_reads" ADD CONSTRAINT "conversation_reads_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "members"("workspace_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Rows that `removeOldReads` removes.
create index "conversation_reads_old" on "conversation_reads" ("read_until") where "read_until" is not null;
