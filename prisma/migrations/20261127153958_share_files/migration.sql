-- A stored file can have several owners, such as a saved reply and the messages that used it.
ALTER TABLE "attachments" DROP CONSTRAINT "attachments_id_fkey";
ALTER TABLE "stored_files" ADD COLUMN "kept_until" TIMESTAMPTZ, ADD COLUMN "owners" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "attachments" ADD COLUMN "file_id" UUID;
update "attachments" set "file_id" = "id";
ALTER TABLE "attachments" ALTER COLUMN "file_id" SET NOT NULL;
CREATE INDEX "attachments_file_id_idx" ON "attachments"("file_id");
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_file_id_fkey" FOREIGN KEY ("file_id") REFERENCES "stored_files"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

update "stored_files" f set "owners" = 1
where exists (select from "attachments" a where a."id" = f."id") or exists (select from "saved_reply_files" s where s."id" = f."id");
alter table "stored_files" add constraint "stored_files_owners" check ("owners" >= 0);

-- Owners are counted, not looked for: of two that end at the same time, each would still see the other. Files are locked by id.
create function count_attachments() returns trigger language plpgsql as $$
begin
  perform from stored_files where id in (select file_id from linked) order by id for no key update;
  update stored_files f set owners = owners + l.added, expires_at = null
  from (select file_id, count(*)::int as added from linked group by file_id) l where f.id = l.file_id;
  return null;
end $$;
create trigger "attachments_count" after insert on "attachments"
  referencing new table as linked for each statement execute function count_attachments();

create function count_saved_reply_files() returns trigger language plpgsql as $$
begin
  update stored_files set owners = owners + 1, expires_at = null where id in (select id from linked);
  return null;
end $$;
create trigger "saved_reply_files_count" after insert on "saved_reply_files"
  referencing new table as linked for each statement execute function count_saved_reply_files();

-- Without owners a file expires, but not before the drafts that may link it.
create function release_attachments() returns trigger language plpgsql as $$
begin
  perform from stored_files where id in (select file_id from unlinked) order by id for no key update;
  update stored_files f set owners = owners - u.removed,
    expires_at = case when owners = u.removed then greatest(now(), kept_until) end
  from (select file_id, count(*)::int as removed from unlinked group by file_id) u where f.id = u.file_id;
  return null;
end $$;
drop trigger "attachments_unlink" on "attachments";
create trigger "attachments_unlink" after delete on "attachments"
  referencing old table as unlinked for each statement execute function release_attachments();

create or replace function expire_unlinked_files() returns trigger language plpgsql as $$
begin
  perform from stored_files where id in (select id from unlinked) order by id for no key update;
  update stored_files set owners = owners - 1, expires_at = case when owners = 1 then greatest(now(), kept_until) end
  where id in (select id from unlinked);
  return null;
end $$;
alter function expire_unlinked_files() rename to release_saved_reply_files;
