-- The view of conversations with a reply that is sent later.
create index concurrently "inbox_scheduled" on "conversations" ("workspace_id", "status", "last_message_at" desc, "id" desc)
  where "send_later_at" is not null and "merged_into_id" is null and not "is_test" and "removal" is null;
