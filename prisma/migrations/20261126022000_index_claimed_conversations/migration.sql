-- The filter "not verified". Few conversations have an unverified address, so the index is small.
create index "inbox_claimed" on "conversations" ("workspace_id", "status", "last_message_at" desc, "id" desc)
  where "contact_claimed" and "merged_into_id" is null and not "is_test" and "removal" is null;
