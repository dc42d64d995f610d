-- Notes are searched like messages (see the initial migration). A note has at most 10,000 characters.
alter table "notes" add column "search" tsvector
  generated always as (strip("searchable_words"("content")) || "workspace_word"("workspace_id")) stored;
create index "notes_search" on "notes" using gin ("search");
