-- AlterTable
ALTER TABLE "pending_replies" ADD COLUMN     "saved_reply_ids" UUID[] DEFAULT ARRAY[]::UUID[];

-- CreateTable
CREATE TABLE "saved_replies" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "owner_id" UUID,
    "created_by_id" UUID,
    "created_by_name" TEXT NOT NULL,
    "folder" TEXT NOT NULL DEFAULT '',
    "name" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "used_count" INTEGER NOT NULL DEFAULT 0,
    "last_used_at" TIMESTAMPTZ,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "saved_replies_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "saved_reply_files" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "saved_reply_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "content_type" TEXT NOT NULL,
    "size_bytes" INTEGER NOT NULL,

    CONSTRAINT "saved_reply_files_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "saved_replies_workspace_id_owner_id_idx" ON "saved_replies"("workspace_id", "owner_id");

-- CreateIndex
CREATE INDEX "saved_replies_created_by_id_idx" ON "saved_replies"("created_by_id");

-- CreateIndex
CREATE UNIQUE INDEX "saved_replies_workspace_id_id_key" ON "saved_replies"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "saved_reply_files_workspace_id_saved_reply_id_idx" ON "saved_reply_files"("workspace_id", "saved_reply_id");

-- AddForeignKey
ALTER TABLE "saved_replies" ADD CONSTRAINT "saved_replies_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "saved_replies" ADD CONSTRAINT "saved_replies_workspace_id_owner_id_fkey" FOREIGN KEY ("workspace_id", "owner_id") REFERENCES "members"("workspace_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "saved_replies" ADD CONSTRAINT "saved_replies_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "saved_reply_files" ADD CONSTRAINT "saved_reply_files_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "saved_reply_files" ADD CONSTRAINT "saved_reply_files_workspace_id_saved_reply_id_fkey" FOREIGN KEY ("workspace_id", "saved_reply_id") REFERENCES "saved_replies"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "saved_reply_files" ADD CONSTRAINT "saved_reply_files_id_fkey" FOREIGN KEY ("id") REFERENCES "stored_files"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- A file expires once its saved reply is gone, also when the teammate or the workspace is.
create trigger "saved_reply_files_unlink" after delete on "saved_reply_files"
  referencing old table as unlinked for each statement execute function expire_unlinked_files();
