-- CreateEnum
CREATE TYPE "offer_kind" AS ENUM ('forward', 'form');

-- CreateTable
CREATE TABLE "contact_offers" (
    "conversation_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "kind" "offer_kind" NOT NULL,
    "email" TEXT NOT NULL,
    "first_name" TEXT,
    "last_name" TEXT,
    "contact_id" UUID,
    "accepted_at" TIMESTAMPTZ,
    "dismissed_at" TIMESTAMPTZ,
    "before" JSONB,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "contact_offers_pkey" PRIMARY KEY ("conversation_id")
);

-- CreateIndex
CREATE INDEX "contact_offers_contact_id_idx" ON "contact_offers"("contact_id");

-- CreateIndex
CREATE UNIQUE INDEX "contact_offers_workspace_id_conversation_id_key" ON "contact_offers"("workspace_id", "conversation_id");

-- AddForeignKey
ALTER TABLE "contact_offers" ADD CONSTRAINT "contact_offers_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contact_offers" ADD CONSTRAINT "contact_offers_workspace_id_conversation_id_fkey" FOREIGN KEY ("workspace_id", "conversation_id") REFERENCES "conversations"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contact_offers" ADD CONSTRAINT "contact_offers_contact_id_fkey" FOREIGN KEY ("contact_id") REFERENCES "contacts"("id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "contact_offers" ADD CONSTRAINT "contact_offers_accepted_with_values_before" CHECK (("accepted_at" IS NULL) = ("before" IS NULL));
