-- A workspace has one test workspace at a time.
create unique index concurrently "workspaces_one_test" on "workspaces" ("test_of_id") where "test_of_id" is not null and "deleted_at" is null;
