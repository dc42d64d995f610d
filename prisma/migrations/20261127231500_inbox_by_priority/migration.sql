-- The order "priority". Each index has only the conversations of another priority than normal, which most have.
create index "inbox_prioritized" on "conversations" ("workspace_id", "status", "priority", "last_message_at" desc, "id" desc)
  where "priority" <> 'normal' and "merged_into_id" is null and not "is_test" and "removal" is null;
create index "inbox_prioritized_by_team" on "conversations" ("workspace_id", "team_id", "status", "priority", "last_message_at" desc, "id" desc)
  where "team_id" is not null and "priority" <> 'normal' and "merged_into_id" is null and not "is_test" and "removal" is null;
create index "inbox_prioritized_by_assignee" on "conversations" ("workspace_id", "assignee_id", "status", "priority", "last_message_at" desc, "id" desc)
  where "assignee_id" is not null and "priority" <> 'normal' and "merged_into_id" is null and not "is_test" and "removal" is null;
create index "inbox_prioritized_unassigned" on "conversations" ("workspace_id", "status", "priority", "last_message_at" desc, "id" desc)
  where "assignee_id" is null and "priority" <> 'normal' and "merged_into_id" is null and not "is_test" and "removal" is null;
