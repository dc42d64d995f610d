-- AlterTable
ALTER TABLE "notes" ADD COLUMN     "deleted_at" TIMESTAMPTZ,
ADD COLUMN     "edited_at" TIMESTAMPTZ,
ADD COLUMN     "version" SMALLINT NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "note_versions" (
    "note_id" UUID NOT NULL,
    "number" SMALLINT NOT NULL,
    "content" TEXT NOT NULL,
    "written_at" TIMESTAMPTZ NOT NULL,

    CONSTRAINT "note_versions_pkey" PRIMARY KEY ("note_id","number")
);

-- AddForeignKey
ALTER TABLE "note_versions" ADD CONSTRAINT "note_versions_note_id_fkey" FOREIGN KEY ("note_id") REFERENCES "notes"("id") ON DELETE CASCADE ON UPDATE CASCADE;
