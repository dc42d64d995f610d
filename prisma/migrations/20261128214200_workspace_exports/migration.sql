-- CreateTable
CREATE TABLE "workspace_exports" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "requested_by_id" UUID NOT NULL,
    "requested_by_name" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "cursor" JSONB,
    "rows" INTEGER NOT NULL DEFAULT 0,
    "files" INTEGER NOT NULL DEFAULT 0,
    "progressed_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ,
    "failed_at" TIMESTAMPTZ,
    "expires_at" TIMESTAMPTZ,
    "mailed_at" TIMESTAMPTZ,

    CONSTRAINT "workspace_exports_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workspace_export_archives" (
    "id" UUID NOT NULL,
    "export_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "rows" INTEGER NOT NULL,
    "files" INTEGER NOT NULL,

    CONSTRAINT "workspace_export_archives_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "workspace_exports_workspace_id_requested_at_idx" ON "workspace_exports"("workspace_id", "requested_at");

-- CreateIndex
CREATE UNIQUE INDEX "workspace_export_archives_export_id_number_key" ON "workspace_export_archives"("export_id", "number");

-- AddForeignKey
ALTER TABLE "workspace_exports" ADD CONSTRAINT "workspace_exports_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace_export_archives" ADD CONSTRAINT "workspace_export_archives_export_id_fkey" FOREIGN KEY ("export_id") REFERENCES "workspace_exports"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace_export_archives" ADD CONSTRAINT "workspace_export_archives_id_fkey" FOREIGN KEY ("id") REFERENCES "stored_files"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- One export of a workspace at a time.
create unique index "workspace_exports_one" on "workspace_exports" ("workspace_id") where "finished_at" is null and "failed_at" is null;
