-- CreateTable
CREATE TABLE "note_files" (
    "id" UUID NOT NULL,
    "file_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "note_id" UUID NOT NULL,
    "position" SMALLINT NOT NULL,
    "name" TEXT NOT NULL,
    "content_type" TEXT NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "note_files_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "note_files_note_id_position_idx" ON "note_files"("note_id", "position");

-- CreateIndex
CREATE INDEX "note_files_file_id_idx" ON "note_files"("file_id");

-- CreateIndex
CREATE INDEX "note_files_workspace_id_created_at_idx" ON "note_files"("workspace_id", "created_at");

-- AddForeignKey
ALTER TABLE "note_files" ADD CONSTRAINT "note_files_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "note_files" ADD CONSTRAINT "note_files_note_id_fkey" FOREIGN KEY ("note_id") REFERENCES "notes"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "note_files" ADD CONSTRAINT "note_files_file_id_fkey" FOREIGN KEY ("file_id") REFERENCES "stored_files"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- The stored file counts its notes as its attachments.
CREATE TRIGGER note_files_count AFTER INSERT ON note_files REFERENCING NEW TABLE AS linked FOR EACH STATEMENT EXECUTE FUNCTION count_attachments();
CREATE TRIGGER note_files_unlink AFTER DELETE ON note_files REFERENCING OLD TABLE AS unlinked FOR EACH STATEMENT EXECUTE FUNCTION release_attachments();
