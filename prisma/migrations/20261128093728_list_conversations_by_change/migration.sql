-- DropIndex
DROP INDEX "conversations_workspace_id_contact_id_idx";

-- CreateIndex
CREATE INDEX "conversations_workspace_id_contact_id_updated_at_id_idx" ON "conversations"("workspace_id", "contact_id", "updated_at", "id");

-- The list of conversations in the developer API: by the last change within each status, of all, of an assignee, team or channel.
CREATE INDEX "conversations_by_change" ON "conversations" ("workspace_id", "status", "updated_at", "id")
  WHERE "merged_into_id" IS NULL AND NOT "is_test" AND "removal" IS NULL;
CREATE INDEX "conversations_by_change_by_assignee" ON "conversations" ("workspace_id", "assignee_id", "status", "updated_at", "id")
  WHERE "assignee_id" IS NOT NULL AND "merged_into_id" IS NULL AND NOT "is_test" AND "removal" IS NULL;
CREATE INDEX "conversations_by_change_by_team" ON "conversations" ("workspace_id", "team_id", "status", "updated_at", "id")
  WHERE "team_id" IS NOT NULL AND "merged_into_id" IS NULL AND NOT "is_test" AND "removal" IS NULL;
CREATE INDEX "conversations_by_change_by_channel" ON "conversations" ("workspace_id", "channel", "status", "updated_at", "id")
  WHERE "merged_into_id" IS NULL AND NOT "is_test" AND "removal" IS NULL;
