-- AlterTable
ALTER TABLE "workspaces" ADD COLUMN     "new_tags_by_admins" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "tags" (
    "workspace_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "tint" SMALLINT,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tags_pkey" PRIMARY KEY ("workspace_id","key")
);

-- CreateTable
CREATE TABLE "tag_replacements" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "new_key" TEXT,
    "new_name" TEXT,
    "by_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tag_replacements_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "tag_replacements_workspace_id_key_key" ON "tag_replacements"("workspace_id", "key");

-- AddForeignKey
ALTER TABLE "tags" ADD CONSTRAINT "tags_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tag_replacements" ADD CONSTRAINT "tag_replacements_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Keys compare by bytes, as in conversation_tags.
alter table "tags" alter column "key" type text collate "C";
alter table "tag_replacements" alter column "key" type text collate "C";
alter table "tag_replacements" alter column "new_key" type text collate "C";
alter table "tags" add constraint "tags_tint_check" check (tint between 0 and 7);
alter table "tag_replacements" add constraint "tag_replacements_new_check" check ((new_key is null) = (new_name is null));
