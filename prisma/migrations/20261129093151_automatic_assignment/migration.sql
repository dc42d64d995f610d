-- CreateEnum
CREATE TYPE "team_assignment" AS ENUM ('off', 'round_robin', 'least_busy');

-- AlterTable
ALTER TABLE "teams" ADD COLUMN     "assignment" "team_assignment" NOT NULL DEFAULT 'off',
ADD COLUMN     "assignment_limit" INTEGER;

-- AlterTable
ALTER TABLE "team_members" ADD COLUMN     "last_assigned_at" TIMESTAMPTZ;

-- CreateTable
CREATE TABLE "waiting_assignments" (
    "conversation_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "due_at" TIMESTAMPTZ NOT NULL,
    "unavailable_at" TIMESTAMPTZ,

    CONSTRAINT "waiting_assignments_pkey" PRIMARY KEY ("conversation_id")
);

-- CreateIndex
CREATE INDEX "waiting_assignments_team_id_conversation_id_idx" ON "waiting_assignments"("team_id", "conversation_id");

-- CreateIndex
CREATE UNIQUE INDEX "waiting_assignments_workspace_id_conversation_id_key" ON "waiting_assignments"("workspace_id", "conversation_id");

-- AddForeignKey
ALTER TABLE "waiting_assignments" ADD CONSTRAINT "waiting_assignments_workspace_id_conversation_id_fkey" FOREIGN KEY ("workspace_id", "conversation_id") REFERENCES "conversations"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

alter table "teams" add constraint "teams_assignment_limit" check ("assignment_limit" between 1 and 999);

-- Teammates who saved their preferences get the new kind as the defaults have it.
update "notification_preferences" set
  "bell" = "bell" || '{assignee_away}'::text[],
  "desktop" = "desktop" || '{assignee_away}'::text[]
where 'assignee_away' <> all ("bell" || "desktop");
