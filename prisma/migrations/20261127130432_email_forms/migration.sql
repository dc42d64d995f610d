-- CreateTable
CREATE TABLE "email_forms" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "address" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "email_forms_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "email_forms_workspace_id_address_key" ON "email_forms"("workspace_id", "address");

-- AddForeignKey
ALTER TABLE "email_forms" ADD CONSTRAINT "email_forms_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
