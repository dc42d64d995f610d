-- CreateTable
CREATE TABLE "stored_files" (
    "id" UUID NOT NULL,
    "workspace_id" UUID,
    "store" TEXT NOT NULL,
    "size_bytes" INTEGER,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ,

    CONSTRAINT "stored_files_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "file_chunks" (
    "file_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "file_chunks_pkey" PRIMARY KEY ("file_id","position")
);

-- CreateIndex
CREATE INDEX "stored_files_workspace_id_size_bytes_idx" ON "stored_files"("workspace_id", "size_bytes");

-- What the schema cannot say.
-- Files are compressed already: storing them as they are saves the time, and lets a part of one be read alone.
alter table "file_chunks" alter column "content" set storage external;
-- The files of messages so far, in pieces of 256 KiB.
insert into "stored_files" ("id", "workspace_id", "store", "size_bytes", "created_at")
select "id", "workspace_id", 'database', "size_bytes", "created_at" from "attachments";
insert into "file_chunks" ("file_id", "position", "content")
select a."id", piece, substring(a."content" from piece * 262144 + 1 for 262144)
from "attachments" a, generate_series(0, greatest(0, (a."size_bytes" - 1) / 262144)) piece;

-- AlterTable
ALTER TABLE "attachments" DROP COLUMN "content";

-- AddForeignKey
ALTER TABLE "stored_files" ADD CONSTRAINT "stored_files_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "file_chunks" ADD CONSTRAINT "file_chunks_file_id_fkey" FOREIGN KEY ("file_id") REFERENCES "stored_files"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_id_fkey" FOREIGN KEY ("id") REFERENCES "stored_files"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What the schema cannot say.
alter table "stored_files" add constraint "stored_files_store" check ("store" in ('database', 's3'));
alter table "stored_files" add constraint "stored_files_size" check ("size_bytes" >= 0);
alter table "file_chunks" add constraint "file_chunks_content" check ("position" >= 0 and octet_length("content") <= 262144);
-- What the job removes, found by when it may.
create index "stored_files_expiring" on "stored_files" ("expires_at") where "expires_at" is not null;
-- However a message goes, also with its conversation or workspace, its files are then nobody's.
create function expire_unlinked_files() returns trigger language plpgsql as $$
begin
  update stored_files set expires_at = now() where id in (select id from unlinked);
  return null;
end $$;
create trigger "attachments_unlink" after delete on "attachments"
  referencing old table as unlinked for each statement execute function expire_unlinked_files();
