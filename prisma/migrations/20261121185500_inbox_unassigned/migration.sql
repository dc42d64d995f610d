-- Conversations that nobody has stand in an index of their own: of one in which the assignee may be null PostgreSQL does
-- not see that the rows of null come in order, and sorts them all. Each conversation is still in one of the two only.
drop index "inbox_by_assignee";
create index "inbox_by_assignee" on "conversations" ("workspace_id", "assignee_id", "status", "last_message_at" desc, "id" desc)
  include ("merged_into_id", "is_test") where "assignee_id" is not null;
create index "inbox_unassigned" on "conversations" ("workspace_id", "status", "last_message_at" desc, "id" desc)
  where "assignee_id" is null and "merged_into_id" is null and not "is_test";
