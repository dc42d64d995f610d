-- CreateTable
CREATE TABLE "contact_erasures" (
    "contact_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "requested_by_id" UUID NOT NULL,
    "requested_by_name" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "due_at" TIMESTAMPTZ NOT NULL,
    "started_at" TIMESTAMPTZ,
    "holder_id" UUID,
    "contact_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "emails" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "own_emails" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "external_ids" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "shared_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "searched_to" UUID,
    "counts" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "contact_erasures_pkey" PRIMARY KEY ("contact_id")
);

-- CreateIndex
CREATE INDEX "contact_erasures_due_at_idx" ON "contact_erasures"("due_at");

-- CreateIndex
CREATE UNIQUE INDEX "contact_erasures_workspace_id_contact_id_key" ON "contact_erasures"("workspace_id", "contact_id");

-- AddForeignKey
ALTER TABLE "contact_erasures" ADD CONSTRAINT "contact_erasures_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contact_erasures" ADD CONSTRAINT "contact_erasures_workspace_id_contact_id_fkey" FOREIGN KEY ("workspace_id", "contact_id") REFERENCES "contacts"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
