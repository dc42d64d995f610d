-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "formatted" JSON;

-- AlterTable
ALTER TABLE "pending_replies" ADD COLUMN     "formatted" JSON;

-- AlterTable
ALTER TABLE "reply_drafts" ADD COLUMN     "formatted" JSON;

-- AlterTable
ALTER TABLE "notes" ADD COLUMN     "formatted" JSON;

-- AlterTable
ALTER TABLE "note_versions" ADD COLUMN     "formatted" JSON;

-- A process of the last release changes and erases only the text.
create function "drop_stale_formatting"() returns trigger language plpgsql as $$
begin
  new."formatted" := null;
  return new;
end $$;
create trigger "messages_formatting" before update of "content" on "messages" for each row
  when (old."formatted" is not null and new."content" <> old."content" and new."formatted"::text = old."formatted"::text)
  execute function "drop_stale_formatting"();
create trigger "notes_formatting" before update of "content" on "notes" for each row
  when (old."formatted" is not null and new."content" <> old."content" and new."formatted"::text = old."formatted"::text)
  execute function "drop_stale_formatting"();
create trigger "reply_drafts_formatting" before update of "content" on "reply_drafts" for each row
  when (old."formatted" is not null and new."content" <> old."content" and new."formatted"::text = old."formatted"::text)
  execute function "drop_stale_formatting"();
