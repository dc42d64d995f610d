-- DropIndex
DROP INDEX "conversations_workspace_id_contact_id_created_at_idx";

-- DropIndex
DROP INDEX "conversations_workspace_id_contact_id_status_created_at_idx";

-- DropIndex
DROP INDEX "tagging_tags_workspace_id_key_created_at_idx";

-- AlterTable
ALTER TABLE "conversation_tags" ADD COLUMN     "position" SMALLINT NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "samples" (
    "conversation_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "event" TEXT NOT NULL,
    "filter" TEXT NOT NULL DEFAULT '',
    "subject_id" UUID NOT NULL,
    "occurred_at" TIMESTAMPTZ NOT NULL,

    CONSTRAINT "samples_pkey" PRIMARY KEY ("conversation_id","event","filter")
);

-- CreateIndex
CREATE INDEX "samples_workspace_id_event_filter_occurred_at_conversation__idx" ON "samples"("workspace_id", "event", "filter", "occurred_at" DESC, "conversation_id" DESC);

-- CreateIndex
CREATE INDEX "conversations_workspace_id_contact_id_idx" ON "conversations"("workspace_id", "contact_id");

-- CreateIndex
CREATE INDEX "tagging_tags_workspace_id_tagging_id_idx" ON "tagging_tags"("workspace_id", "tagging_id");

-- AddForeignKey
ALTER TABLE "samples" ADD CONSTRAINT "samples_workspace_id_conversation_id_fkey" FOREIGN KEY ("workspace_id", "conversation_id") REFERENCES "conversations"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What the schema language cannot say.

-- The newest conversations of a contact, as searches show them.
create index "conversations_of_contact" on "conversations" ("workspace_id", "contact_id", "created_at" desc, "id" desc) where "merged_into_id" is null;
create index "conversations_of_contact_by_status" on "conversations" ("workspace_id", "contact_id", "status", "created_at" desc, "id" desc) where "merged_into_id" is null;
-- Samples had been read from it.
drop index "messages_received";

alter table "samples" add constraint "samples_event" check ("event" in (
  'conversation.tagged', 'conversation.rated', 'message.received', 'operator.command'));
alter table "samples" add constraint "samples_filter" check ("filter" = '' or "event" in ('conversation.tagged', 'operator.command'));

-- Tags added together keep the order in which they were given.
update "conversation_tags" c set "position" = t."position"
from "tagging_tags" t join "taggings" g on g."id" = t."tagging_id"
where g."conversation_id" = c."conversation_id" and t."key" = c."key";

-- What happened before there were samples.
insert into "samples" ("workspace_id", "conversation_id", "event", "filter", "subject_id", "occurred_at")
select distinct on (s."conversation_id", s."event", s."filter")
  s."workspace_id", s."conversation_id", s."event", s."filter", s."subject_id", s."occurred_at"
from (
  select "workspace_id", "conversation_id", 'conversation.tagged' as "event", '' as "filter", "id" as "subject_id", "created_at" as "occurred_at" from "taggings"
  union all
  select g."workspace_id", g."conversation_id", 'conversation.tagged', t."key", g."id", g."created_at" from "tagging_tags" t join "taggings" g on g."id" = t."tagging_id"
  union all
  select "workspace_id", "conversation_id", 'conversation.rated', '', "id", "created_at" from "ratings"
  union all
  select "workspace_id", "conversation_id", 'message.received', '', "id", "created_at" from "messages" where "direction" = 'inbound'
  union all
  select "workspace_id", "conversation_id", 'operator.command', f, "id", "created_at" from "command_runs", unnest(array['', "command"]) f
) s
join "conversations" c on c."id" = s."conversation_id" and c."merged_into_id" is null and not c."is_test"
order by s."conversation_id", s."event", s."filter", s."occurred_at" desc, s."subject_id" desc;
