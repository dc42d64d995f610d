-- AlterTable
ALTER TABLE "workspaces" ADD COLUMN     "ai_agent_enabled" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "ask_for_rating" BOOLEAN NOT NULL DEFAULT true;

-- AlterTable
ALTER TABLE "conversations" ADD COLUMN     "rating_asked_at" TIMESTAMPTZ;

-- CreateTable
CREATE TABLE "attachments" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "message_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "content_type" TEXT NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "content" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "attachments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pending_replies" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "conversation_id" UUID NOT NULL,
    "author_id" UUID NOT NULL,
    "content" TEXT NOT NULL,
    "send_at" TIMESTAMPTZ NOT NULL,
    "problem" TEXT,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "pending_replies_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "saved_answers" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "question" TEXT NOT NULL,
    "answer" TEXT NOT NULL,
    "next_status" "conversation_status" NOT NULL DEFAULT 'pending',
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "saved_answers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "flows" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "condition" JSONB NOT NULL,
    "actions" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "flows_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "visitors" (
    "token_hash" BYTEA NOT NULL,
    "workspace_id" UUID NOT NULL,
    "contact_id" UUID,
    "conversation_id" UUID,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "visitors_pkey" PRIMARY KEY ("token_hash")
);

-- CreateIndex
CREATE INDEX "attachments_message_id_idx" ON "attachments"("message_id");

-- CreateIndex
CREATE INDEX "attachments_workspace_id_idx" ON "attachments"("workspace_id");

-- CreateIndex
CREATE INDEX "pending_replies_conversation_id_idx" ON "pending_replies"("conversation_id");

-- CreateIndex
CREATE INDEX "pending_replies_author_id_idx" ON "pending_replies"("author_id");

-- CreateIndex
CREATE INDEX "pending_replies_workspace_id_idx" ON "pending_replies"("workspace_id");

-- CreateIndex
CREATE INDEX "saved_answers_workspace_id_created_at_idx" ON "saved_answers"("workspace_id", "created_at");

-- CreateIndex
CREATE INDEX "flows_workspace_id_created_at_idx" ON "flows"("workspace_id", "created_at");

-- CreateIndex
CREATE INDEX "visitors_workspace_id_contact_id_idx" ON "visitors"("workspace_id", "contact_id");

-- CreateIndex
CREATE INDEX "visitors_workspace_id_conversation_id_idx" ON "visitors"("workspace_id", "conversation_id");

-- CreateIndex
CREATE INDEX "visitors_last_seen_at_idx" ON "visitors"("last_seen_at");

-- CreateIndex
CREATE UNIQUE INDEX "messages_workspace_id_id_key" ON "messages"("workspace_id", "id");

-- AddForeignKey
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_workspace_id_message_id_fkey" FOREIGN KEY ("workspace_id", "message_id") REFERENCES "messages"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pending_replies" ADD CONSTRAINT "pending_replies_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pending_replies" ADD CONSTRAINT "pending_replies_workspace_id_conversation_id_fkey" FOREIGN KEY ("workspace_id", "conversation_id") REFERENCES "conversations"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pending_replies" ADD CONSTRAINT "pending_replies_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "saved_answers" ADD CONSTRAINT "saved_answers_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "flows" ADD CONSTRAINT "flows_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "visitors" ADD CONSTRAINT "visitors_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "visitors" ADD CONSTRAINT "visitors_workspace_id_contact_id_fkey" FOREIGN KEY ("workspace_id", "contact_id") REFERENCES "contacts"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "visitors" ADD CONSTRAINT "visitors_workspace_id_conversation_id_fkey" FOREIGN KEY ("workspace_id", "conversation_id") REFERENCES "conversations"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What the schema cannot say.
alter table "saved_answers" add constraint "saved_answers_next_status" check ("next_status" in ('pending', 'solved'));
alter table "attachments" add constraint "attachments_size" check ("size_bytes" = octet_length("content"));
-- Files are compressed already: storing them as they are saves the time.
alter table "attachments" alter column "content" set storage external;
-- Clocks that may breach by themselves, found by when they are due.
create index "sla_clocks_running" on "sla_clocks" ("due_at") where "stopped_at" is null and "paused_at" is null and "breached_at" is null;
-- Solved conversations that close by themselves some days later.
create index "conversations_solved" on "conversations" ("workspace_id", "status_changed_at") where "status" = 'solved' and "merged_into_id" is null;
-- What somebody has not seen and was not yet told by e-mail.
create index "notifications_unseen" on "notifications" ("created_at") where "read_at" is null and "emailed_at" is null;
