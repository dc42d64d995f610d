-- CreateTable
CREATE TABLE "contact_aliases" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "contact_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "contact_aliases_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "contact_aliases_workspace_id_contact_id_idx" ON "contact_aliases"("workspace_id", "contact_id");

-- AddForeignKey
ALTER TABLE "contact_aliases" ADD CONSTRAINT "contact_aliases_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contact_aliases" ADD CONSTRAINT "contact_aliases_workspace_id_contact_id_fkey" FOREIGN KEY ("workspace_id", "contact_id") REFERENCES "contacts"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
