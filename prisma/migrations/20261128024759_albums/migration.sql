-- AlterTable
ALTER TABLE "inbound_updates" ADD COLUMN     "album" TEXT;

-- CreateTable
CREATE TABLE "message_parts" (
    "workspace_id" UUID NOT NULL,
    "external_id" TEXT NOT NULL,
    "message_id" UUID NOT NULL,
    "content" TEXT NOT NULL,
    "edited_at" TIMESTAMPTZ,

    CONSTRAINT "message_parts_pkey" PRIMARY KEY ("workspace_id","external_id")
);

-- CreateIndex
CREATE INDEX "message_parts_workspace_id_message_id_idx" ON "message_parts"("workspace_id", "message_id");

-- AddForeignKey
ALTER TABLE "message_parts" ADD CONSTRAINT "message_parts_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "message_parts" ADD CONSTRAINT "message_parts_workspace_id_message_id_fkey" FOREIGN KEY ("workspace_id", "message_id") REFERENCES "messages"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The parts of an album that wait are found by the album, and by its thread.
create index "inbound_updates_album" on "inbound_updates" ("account_id", "album" text_pattern_ops) where "processed_at" is null and "album" is not null;
