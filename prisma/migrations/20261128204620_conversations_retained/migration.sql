-- Conversations that a retention rule finds, by the time of their last message. Anonymized ones are apart, so that they are not read each night.
create index concurrently "conversations_retained" on "conversations" ("workspace_id", "anonymized_at", "last_message_at")
  where "merged_into_id" is null and not "is_test"
    and ("removal" = 'spam' or "removal" is null and "status" in ('solved', 'closed'));
