create index concurrently "attachments_by_age" on "attachments" ("workspace_id", "created_at");
