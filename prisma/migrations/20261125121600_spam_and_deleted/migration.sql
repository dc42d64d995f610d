-- Spam and deleted conversations: the API does not find them, and lists, samples and jobs leave them out.
create type "removal" as enum ('spam', 'deleted');
alter table "conversations" add column "removal" "removal", add column "removed_at" timestamptz;
alter table "conversations" add constraint "conversations_removed_at" check (("removal" is null) = ("removed_at" is null));

-- The indexes of lists and samples contain only what these may show.
drop index "inbox_by_status", "inbox_by_channel", "inbox_by_team", "inbox_by_assignee", "inbox_unassigned", "inbox_failed", "conversations_by_creation", "conversations_by_status_change", "conversations_by_status", "conversations_by_assignment", "conversations_of_contact", "conversations_of_contact_by_status";
create index "inbox_by_status" on "conversations" ("workspace_id", "status", "last_message_at" desc, "id" desc)
  where "merged_into_id" is null and not "is_test" and "removal" is null;
create index "inbox_by_channel" on "conversations" ("workspace_id", "channel", "status", "last_message_at" desc, "id" desc)
  where "merged_into_id" is null and not "is_test" and "removal" is null;
create index "inbox_by_team" on "conversations" ("workspace_id", "team_id", "status", "last_message_at" desc, "id" desc)
  include ("merged_into_id", "is_test", "removal") where "team_id" is not null;
create index "inbox_by_assignee" on "conversations" ("workspace_id", "assignee_id", "status", "last_message_at" desc, "id" desc)
  include ("merged_into_id", "is_test", "removal") where "assignee_id" is not null;
create index "inbox_unassigned" on "conversations" ("workspace_id", "status", "last_message_at" desc, "id" desc)
  where "assignee_id" is null and "merged_into_id" is null and not "is_test" and "removal" is null;
create index "inbox_failed" on "conversations" ("workspace_id", "status", "last_message_at" desc, "id" desc)
  where "has_failed_reply" and "merged_into_id" is null and not "is_test" and "removal" is null;
create index "conversations_by_creation" on "conversations" ("workspace_id", "created_at" desc, "id" desc)
  where "merged_into_id" is null and not "is_test" and "removal" is null;
create index "conversations_by_status_change" on "conversations" ("workspace_id", "status_changed_at" desc, "id" desc)
  where "merged_into_id" is null and not "is_test" and "removal" is null;
create index "conversations_by_status" on "conversations" ("workspace_id", "status", "status_changed_at" desc, "id" desc)
  where "merged_into_id" is null and not "is_test" and "removal" is null;
create index "conversations_by_assignment" on "conversations" ("workspace_id", "assigned_at" desc, "id" desc)
  where "assigned_at" is not null and "merged_into_id" is null and not "is_test" and "removal" is null;
create index "conversations_of_contact" on "conversations" ("workspace_id", "contact_id", "created_at" desc, "id" desc)
  where "merged_into_id" is null and "removal" is null;
create index "conversations_of_contact_by_status" on "conversations" ("workspace_id", "contact_id", "status", "created_at" desc, "id" desc)
  where "merged_into_id" is null and "removal" is null;

-- The views Spam and Deleted, and the job that removes deleted conversations for good.
create index "conversations_removed" on "conversations" ("workspace_id", "removal", "removed_at" desc, "id" desc) where "removal" is not null;
create index "conversations_to_purge" on "conversations" ("removed_at", "id") where "removal" = 'deleted';
