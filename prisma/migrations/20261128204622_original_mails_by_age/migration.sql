create index concurrently "original_mails_by_age" on "messages" ("workspace_id", "created_at") where "original_file_id" is not null;
