-- The keys also belong to API tokens.
ALTER TABLE "idempotency_keys" RENAME COLUMN "connection_id" TO "owner_id";

-- CreateTable
CREATE TABLE "api_tokens" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "label" TEXT NOT NULL,
    "abilities" TEXT[],
    "token_hash" BYTEA NOT NULL,
    "last_four" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ,
    "created_by_id" UUID,
    "created_by_name" TEXT NOT NULL,
    "last_used_at" TIMESTAMPTZ,
    "last_used_address" TEXT,
    "revoked_at" TIMESTAMPTZ,
    "revoked_by_id" UUID,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "api_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "api_tokens_token_hash_key" ON "api_tokens"("token_hash");

-- CreateIndex
CREATE INDEX "api_tokens_workspace_id_created_at_idx" ON "api_tokens"("workspace_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "api_tokens_created_by_id_idx" ON "api_tokens"("created_by_id");

-- AddForeignKey
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_abilities_known" CHECK (
  "abilities" <@ ARRAY['read', 'write_contacts', 'write_conversations', 'manage_webhooks', 'full_access']
  AND cardinality("abilities") BETWEEN 1 AND 5
);
ALTER TABLE "api_tokens" ALTER COLUMN "abilities" SET NOT NULL;
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_label_length" CHECK (char_length("label") BETWEEN 1 AND 100);
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_hash_length" CHECK (octet_length("token_hash") = 32);

-- A job removes tokens 90 days after they were revoked or expired.
CREATE INDEX "api_tokens_ended" ON "api_tokens" ((coalesce("revoked_at", "expires_at")))
  WHERE coalesce("revoked_at", "expires_at") IS NOT NULL;
