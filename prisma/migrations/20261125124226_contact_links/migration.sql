-- AlterTable
ALTER TABLE "conversations" ADD COLUMN     "linked_from_id" UUID;

-- CreateTable
CREATE TABLE "contact_links" (
    "contact_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "owner_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "contact_links_pkey" PRIMARY KEY ("contact_id")
);

-- CreateTable
CREATE TABLE "address_verifications" (
    "token_hash" BYTEA NOT NULL,
    "workspace_id" UUID NOT NULL,
    "contact_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ NOT NULL,

    CONSTRAINT "address_verifications_pkey" PRIMARY KEY ("token_hash")
);

-- CreateIndex
CREATE INDEX "contact_links_workspace_id_owner_id_idx" ON "contact_links"("workspace_id", "owner_id");

-- CreateIndex
CREATE UNIQUE INDEX "contact_links_workspace_id_contact_id_key" ON "contact_links"("workspace_id", "contact_id");

-- CreateIndex
CREATE INDEX "address_verifications_workspace_id_contact_id_idx" ON "address_verifications"("workspace_id", "contact_id");

-- CreateIndex
CREATE INDEX "address_verifications_expires_at_idx" ON "address_verifications"("expires_at");

-- AddForeignKey
ALTER TABLE "contact_links" ADD CONSTRAINT "contact_links_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contact_links" ADD CONSTRAINT "contact_links_workspace_id_contact_id_fkey" FOREIGN KEY ("workspace_id", "contact_id") REFERENCES "contacts"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contact_links" ADD CONSTRAINT "contact_links_workspace_id_owner_id_fkey" FOREIGN KEY ("workspace_id", "owner_id") REFERENCES "contacts"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "address_verifications" ADD CONSTRAINT "address_verifications_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "address_verifications" ADD CONSTRAINT "address_verifications_workspace_id_contact_id_fkey" FOREIGN KEY ("workspace_id", "contact_id") REFERENCES "contacts"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_linked_from_id_fkey" FOREIGN KEY ("linked_from_id") REFERENCES "contact_links"("contact_id") ON DELETE SET NULL ON UPDATE CASCADE;

alter table "address_verifications" add constraint "address_verifications_email_lowercase" check ("email" = lower("email"));

create index "conversations_linked_from_id_idx" on "conversations" ("linked_from_id") where "linked_from_id" is not null;
