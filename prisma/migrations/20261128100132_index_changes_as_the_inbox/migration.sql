-- With the same conditions and columns as the indexes of the inbox, so that PostgreSQL prefers those for the order of the inbox.
DROP INDEX "conversations_by_change_by_assignee";
CREATE INDEX "conversations_by_change_by_assignee" ON "conversations" ("workspace_id", "assignee_id", "status", "updated_at", "id")
  INCLUDE ("merged_into_id", "is_test", "removal") WHERE "assignee_id" IS NOT NULL;
DROP INDEX "conversations_by_change_by_team";
CREATE INDEX "conversations_by_change_by_team" ON "conversations" ("workspace_id", "team_id", "status", "updated_at", "id")
  INCLUDE ("merged_into_id", "is_test", "removal") WHERE "team_id" IS NOT NULL;
