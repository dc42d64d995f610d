-- DropIndex
DROP INDEX "conversations_workspace_id_status_last_message_at_idx";

-- DropIndex
DROP INDEX "conversations_workspace_id_assignee_id_last_message_at_idx";

-- DropIndex
DROP INDEX "conversations_workspace_id_team_id_last_message_at_idx";

-- DropIndex
DROP INDEX "conversations_workspace_id_last_message_at_idx";

-- What the schema cannot say.

-- The inbox lists by one of four things and a status, newest first; several statuses are merged in order. What it never
-- shows is left out of an index, or, where a foreign key is checked by the index too, told by it without a look at the row.
create index "inbox_by_status" on "conversations" ("workspace_id", "status", "last_message_at" desc, "id" desc)
  where "merged_into_id" is null and not "is_test";
create index "inbox_by_channel" on "conversations" ("workspace_id", "channel", "status", "last_message_at" desc, "id" desc)
  where "merged_into_id" is null and not "is_test";
create index "inbox_by_assignee" on "conversations" ("workspace_id", "assignee_id", "status", "last_message_at" desc, "id" desc)
  include ("merged_into_id", "is_test");
create index "inbox_by_team" on "conversations" ("workspace_id", "team_id", "status", "last_message_at" desc, "id" desc)
  include ("merged_into_id", "is_test") where "team_id" is not null;

-- Searching. The words of a text are what stands between white space and punctuation
-- (which PostgreSQL takes for letters outside of ASCII where its locale is C), so that addresses, numbers of
-- orders and phone numbers are found by their parts; no language is assumed. The workspace is one more word (no text has
-- one with a colon), so that one index answers for one workspace. Of a message the first 8,000 characters are searched.
-- Prisma does not know these columns: they are generated, and only the SQL of searches reads them.
create function "searchable_words"("given" text) returns tsvector
  language sql immutable parallel safe
  return to_tsvector('simple'::regconfig, translate("given",
    U&'!"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~\00a0\00a1\00ab\00b7\00bb\00bf\2013\2014\2018\2019\201a\201c\201d\201e\2022\2026\3001\3002\300c\300d',
    repeat(' ', 52)));
create function "workspace_word"("workspace_id" uuid) returns tsvector
  language sql immutable parallel safe
  return array_to_tsvector(array['w:' || "workspace_id"::text]);

alter table "messages" add column "search" tsvector
  generated always as (strip("searchable_words"(left("content", 8000))) || "workspace_word"("workspace_id")) stored;
alter table "conversations" add column "search" tsvector
  generated always as (case when "subject" is not null then strip("searchable_words"("subject")) || "workspace_word"("workspace_id") end) stored;
alter table "contacts" add column "search" tsvector
  generated always as (strip("searchable_words"(
    coalesce("first_name", '') || ' ' || coalesce("last_name", '') || ' ' || coalesce("email", '') || ' ' ||
    coalesce("phone", '') || ' ' || coalesce("phone_digits", ''))) || "workspace_word"("workspace_id")) stored;
create index "messages_search" on "messages" using gin ("search");
create index "conversations_search" on "conversations" using gin ("search");
create index "contacts_search" on "contacts" using gin ("search");

-- Made twice under two names.
drop index "sla_clocks_due";
drop index "notifications_to_email";
