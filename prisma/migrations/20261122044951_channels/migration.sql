-- CreateEnum
CREATE TYPE "channel_account_status" AS ENUM ('connected', 'reconnect_needed');

-- AlterTable
ALTER TABLE "members" ADD COLUMN     "signature" TEXT;

-- AlterTable
ALTER TABLE "conversations" ADD COLUMN     "channel_account_id" UUID;

-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "automatic" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "bcc" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "cc" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "edited_at" TIMESTAMPTZ,
ADD COLUMN     "full_content" TEXT,
ADD COLUMN     "html" TEXT,
ADD COLUMN     "original_file_id" UUID,
ADD COLUMN     "provider_ids" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "sender_verified" BOOLEAN,
ADD COLUMN     "trimmed" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "attachments" ADD COLUMN     "content_id" TEXT,
ADD COLUMN     "inline" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "pending_replies" ADD COLUMN     "attachments" JSONB NOT NULL DEFAULT '[]',
ADD COLUMN     "bcc" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "cc" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateTable
CREATE TABLE "contact_identities" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "contact_id" UUID NOT NULL,
    "channel" "channel" NOT NULL,
    "scope" TEXT NOT NULL DEFAULT '',
    "external_id" TEXT NOT NULL,
    "name" TEXT,
    "phone" TEXT,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "contact_identities_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "channel_accounts" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "channel" "channel" NOT NULL,
    "external_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "credentials" BYTEA,
    "settings" JSONB NOT NULL DEFAULT '{}',
    "status" "channel_account_status" NOT NULL DEFAULT 'connected',
    "last_error" TEXT,
    "last_error_at" TIMESTAMPTZ,
    "last_received_at" TIMESTAMPTZ,
    "last_sent_at" TIMESTAMPTZ,
    "expires_at" TIMESTAMPTZ,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ,

    CONSTRAINT "channel_accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "inbound_updates" (
    "id" UUID NOT NULL,
    "workspace_id" UUID,
    "account_id" UUID,
    "channel" "channel" NOT NULL,
    "external_id" TEXT NOT NULL,
    "body" BYTEA NOT NULL,
    "headers" JSONB NOT NULL DEFAULT '{}',
    "received_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "processed_at" TIMESTAMPTZ,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,

    CONSTRAINT "inbound_updates_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mail_references" (
    "workspace_id" UUID NOT NULL,
    "message_id_header" TEXT NOT NULL,
    "message_id" UUID NOT NULL,
    "conversation_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mail_references_pkey" PRIMARY KEY ("workspace_id","message_id_header","message_id")
);

-- CreateIndex
CREATE INDEX "contact_identities_workspace_id_contact_id_idx" ON "contact_identities"("workspace_id", "contact_id");

-- CreateIndex
CREATE UNIQUE INDEX "contact_identities_workspace_id_channel_scope_external_id_key" ON "contact_identities"("workspace_id", "channel", "scope", "external_id");

-- CreateIndex
CREATE INDEX "channel_accounts_workspace_id_created_at_idx" ON "channel_accounts"("workspace_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "channel_accounts_workspace_id_id_key" ON "channel_accounts"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "inbound_updates_workspace_id_idx" ON "inbound_updates"("workspace_id");

-- CreateIndex
CREATE INDEX "inbound_updates_received_at_idx" ON "inbound_updates"("received_at");

-- CreateIndex
CREATE UNIQUE INDEX "inbound_updates_account_id_external_id_key" ON "inbound_updates"("account_id", "external_id");

-- CreateIndex
CREATE INDEX "mail_references_message_id_idx" ON "mail_references"("message_id");

-- CreateIndex
CREATE INDEX "mail_references_conversation_id_idx" ON "mail_references"("conversation_id");

-- CreateIndex
CREATE INDEX "conversations_channel_account_id_external_thread_id_created_idx" ON "conversations"("channel_account_id", "external_thread_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "conversations_workspace_id_channel_account_id_idx" ON "conversations"("workspace_id", "channel_account_id");

-- CreateIndex
CREATE UNIQUE INDEX "messages_original_file_id_key" ON "messages"("original_file_id");

-- AddForeignKey
ALTER TABLE "contact_identities" ADD CONSTRAINT "contact_identities_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contact_identities" ADD CONSTRAINT "contact_identities_workspace_id_contact_id_fkey" FOREIGN KEY ("workspace_id", "contact_id") REFERENCES "contacts"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "channel_accounts" ADD CONSTRAINT "channel_accounts_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "inbound_updates" ADD CONSTRAINT "inbound_updates_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "inbound_updates" ADD CONSTRAINT "inbound_updates_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "channel_accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_workspace_id_channel_account_id_fkey" FOREIGN KEY ("workspace_id", "channel_account_id") REFERENCES "channel_accounts"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_original_file_id_fkey" FOREIGN KEY ("original_file_id") REFERENCES "stored_files"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mail_references" ADD CONSTRAINT "mail_references_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mail_references" ADD CONSTRAINT "mail_references_workspace_id_message_id_fkey" FOREIGN KEY ("workspace_id", "message_id") REFERENCES "messages"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mail_references" ADD CONSTRAINT "mail_references_workspace_id_conversation_id_fkey" FOREIGN KEY ("workspace_id", "conversation_id") REFERENCES "conversations"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What the schema cannot say.
-- A provider's account is connected once in an installation; disconnected it keeps no secrets.
create unique index "channel_accounts_connected_once" on "channel_accounts" ("channel", "external_id") where "deleted_at" is null;
alter table "channel_accounts" add constraint "channel_accounts_credentials" check (("deleted_at" is null) = ("credentials" is not null));
alter table "channel_accounts" add constraint "channel_accounts_error_has_time" check (("last_error" is null) = ("last_error_at" is null));
alter table "channel_accounts" add constraint "channel_accounts_external_id" check ("external_id" <> '');
alter table "contact_identities" add constraint "contact_identities_external_id" check ("external_id" <> '');

-- What is still to be worked off, in the order received; and mail, which has no account, by its own id.
create index "inbound_updates_waiting" on "inbound_updates" ("account_id", "received_at") where "processed_at" is null;
create unique index "inbound_updates_without_account" on "inbound_updates" ("channel", "external_id") where "account_id" is null;
alter table "inbound_updates" add constraint "inbound_updates_attempts" check ("attempts" >= 0);
alter table "inbound_updates" alter column "body" set storage external;

-- Statuses that come late name any part of a long reply.
create index "messages_provider_ids" on "messages" using gin ("provider_ids") where "provider_ids" <> '{}';
alter table "messages" add constraint "messages_only_inbound_is_edited" check ("direction" = 'inbound' or "edited_at" is null);
alter table "messages" add constraint "messages_full_content_when_trimmed" check ("full_content" is null or "trimmed");

-- A raw mail goes as files do: however its message goes, it is then nobody's.
create function expire_unlinked_originals() returns trigger language plpgsql as $$
begin
  update stored_files set expires_at = now()
  where id in (select original_file_id from unlinked where original_file_id is not null);
  return null;
end $$;
create trigger "messages_unlink_original" after delete on "messages"
  referencing old table as unlinked for each statement execute function expire_unlinked_originals();
