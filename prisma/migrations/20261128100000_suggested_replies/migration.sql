-- CreateTable
CREATE TABLE "suggested_replies" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "conversation_id" UUID NOT NULL,
    "token_id" UUID NOT NULL,
    "program_name" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "suggested_replies_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "suggested_replies_workspace_id_idx" ON "suggested_replies"("workspace_id");

-- CreateIndex
CREATE UNIQUE INDEX "suggested_replies_conversation_id_token_id_key" ON "suggested_replies"("conversation_id", "token_id");

-- AddForeignKey
ALTER TABLE "suggested_replies" ADD CONSTRAINT "suggested_replies_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "suggested_replies" ADD CONSTRAINT "suggested_replies_workspace_id_conversation_id_fkey" FOREIGN KEY ("workspace_id", "conversation_id") REFERENCES "conversations"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- An ability to suggest replies without sending them.
ALTER TABLE "api_tokens" DROP CONSTRAINT "api_tokens_abilities_known";
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_abilities_known" CHECK (
  "abilities" <@ ARRAY['read', 'write_contacts', 'suggest_replies', 'write_conversations', 'manage_webhooks', 'full_access']
  AND cardinality("abilities") BETWEEN 1 AND 6
);
