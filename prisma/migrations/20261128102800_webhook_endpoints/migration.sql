-- AlterTable
ALTER TABLE "hooks" ADD COLUMN     "events" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "skips_token_id" UUID,
ALTER COLUMN "connection_id" DROP NOT NULL;

-- CreateTable
CREATE TABLE "webhook_endpoints" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "secret" BYTEA NOT NULL,
    "earlier_secret" BYTEA,
    "earlier_secret_until" TIMESTAMPTZ,
    "failing_since" TIMESTAMPTZ,
    "last_failed_at" TIMESTAMPTZ,
    "warned_at" TIMESTAMPTZ,
    "created_by_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "webhook_endpoints_workspace_id_id_key" ON "webhook_endpoints"("workspace_id", "id");

-- AddForeignKey
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_workspace_id_id_fkey" FOREIGN KEY ("workspace_id", "id") REFERENCES "hooks"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- A hook belongs to a connection and has one event, or it is a webhook endpoint with several.
alter table "hooks" drop constraint "hooks_event";
alter table "hooks" add constraint "hooks_event" check ("event" in (
  'conversation.created', 'conversation.status_changed', 'conversation.assigned', 'conversation.tagged',
  'conversation.rated', 'message.received', 'contact.created', 'operator.command', '*'));
alter table "hooks" add constraint "hooks_belongs" check (
  ("connection_id" is null) = ("event" = '*') and ("connection_id" is null or ("events" = '{}' and "skips_token_id" is null)));
create index "hooks_endpoints" on "hooks" ("workspace_id") where "connection_id" is null and "removed_at" is null;
create index "webhook_endpoints_failing" on "webhook_endpoints" ("failing_since") where "failing_since" is not null;
alter table "webhook_endpoints" add constraint "webhook_endpoints_earlier_secret" check (
  ("earlier_secret" is null) = ("earlier_secret_until" is null));
alter table "webhook_endpoints" add constraint "webhook_endpoints_failing" check (
  ("failing_since" is null) = ("last_failed_at" is null) and ("failing_since" is not null or "warned_at" is null));

-- A test event, which is not in the event log.
alter table "events" drop constraint "events_key";
alter table "events" add constraint "events_key" check ("key" in (
  'conversation.created', 'conversation.status_changed', 'conversation.assigned', 'conversation.tagged',
  'conversation.rated', 'message.received', 'contact.created', 'operator.command',
  'conversation.unassigned', 'conversation.tag_removed', 'conversation.merged', 'conversation.deleted',
  'reply.sent', 'reply.failed', 'note.added', 'contact.updated', 'contact.merged', 'webhook.test')) not valid;
