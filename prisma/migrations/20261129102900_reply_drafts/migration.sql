-- CreateTable
CREATE TABLE "reply_drafts" (
    "conversation_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "is_empty" BOOLEAN NOT NULL,
    "content" TEXT NOT NULL,
    "answers" TEXT,
    "changes_copies" BOOLEAN NOT NULL DEFAULT false,
    "cc" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "bcc" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "attachments" JSONB NOT NULL DEFAULT '[]',
    "saved_reply_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "author_id" UUID,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "reply_drafts_pkey" PRIMARY KEY ("conversation_id")
);

-- CreateIndex
CREATE INDEX "reply_drafts_author_id_idx" ON "reply_drafts"("author_id");

-- CreateIndex
CREATE UNIQUE INDEX "reply_drafts_workspace_id_conversation_id_key" ON "reply_drafts"("workspace_id", "conversation_id");

-- AddForeignKey
ALTER TABLE "reply_drafts" ADD CONSTRAINT "reply_drafts_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "reply_drafts" ADD CONSTRAINT "reply_drafts_workspace_id_conversation_id_fkey" FOREIGN KEY ("workspace_id", "conversation_id") REFERENCES "conversations"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "reply_drafts" ADD CONSTRAINT "reply_drafts_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Drafts that were sent or cleared, for the job that removes them.
CREATE INDEX "reply_drafts_empty" ON "reply_drafts"("updated_at") WHERE "is_empty";
