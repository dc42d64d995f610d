-- Finds what a person wrote in conversations of others.
create index concurrently "messages_author_address" on "messages" ("workspace_id", "author_address") where "author_address" is not null;
