-- A team belongs to one workspace, and most teammates do. Without knowing this, PostgreSQL expects almost no conversations of a team
-- among many workspaces: it reads all of them and sorts, instead of reading the newest from an index of the inbox.
create statistics "conversations_of_team" (dependencies) on "workspace_id", "team_id" from "conversations";
create statistics "conversations_of_assignee" (dependencies) on "workspace_id", "assignee_id" from "conversations";
analyze "conversations" ("workspace_id", "team_id", "assignee_id");
