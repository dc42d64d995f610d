-- AlterTable
ALTER TABLE "workspaces" ADD COLUMN     "setup_ended_at" TIMESTAMPTZ;

-- Only new workspaces have the checklist.
update "workspaces" set "setup_ended_at" = now();
