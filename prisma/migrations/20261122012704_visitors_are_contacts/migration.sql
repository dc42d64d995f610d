-- AlterTable
ALTER TABLE "conversations" ADD COLUMN     "contact_claimed" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "visitors" ADD COLUMN     "contact_claimed" BOOLEAN NOT NULL DEFAULT false;

-- What the schema cannot say.

-- Every address that a visitor of the web chat ever gave was one that nobody verified.
update "conversations" c set "contact_claimed" = true
from "contacts" p
where c."channel" = 'webchat' and not c."is_test"
  and p."workspace_id" = c."workspace_id" and p."id" = c."contact_id" and p."email" is not null;
update "visitors" v set "contact_claimed" = true
from "contacts" p
where p."workspace_id" = v."workspace_id" and p."id" = v."contact_id" and p."email" is not null;

-- Who writes is a contact, also one of whom neither name nor address nor phone number is known. That teammates and the
-- platform make no such contact, and that nobody empties one that far, stands in the rules of both.
alter table "contacts" drop constraint "contacts_not_nobody";

-- Visitors who said nothing of themselves so far: each of their conversations gets its contact, of whom no event tells now.
create temporary table "anonymous" as
  select c."id" as "conversation_id", c."workspace_id", c."created_at", gen_random_uuid() as "contact_id"
  from "conversations" c where c."contact_id" is null and c."channel" = 'webchat' and not c."is_test";
insert into "contacts" ("id", "workspace_id", "created_at", "updated_at")
  select "contact_id", "workspace_id", "created_at", now() from "anonymous";
update "conversations" c set "contact_id" = a."contact_id" from "anonymous" a where c."id" = a."conversation_id";
update "visitors" v set "contact_id" = a."contact_id"
  from "anonymous" a where v."conversation_id" = a."conversation_id" and v."contact_id" is null;

drop table "anonymous";

-- Visitors who never wrote, by age.
create index "visitors_who_never_wrote" on "visitors" ("created_at") where "conversation_id" is null;

-- One of whom nothing is known is called a visitor, with the last four characters of the id, and is found by these.
alter table "contacts" drop column "search";
alter table "contacts" add column "search" tsvector
  generated always as (strip("searchable_words"(
    coalesce("first_name", '') || ' ' || coalesce("last_name", '') || ' ' || coalesce("email", '') || ' ' ||
    coalesce("phone", '') || ' ' || coalesce("phone_digits", '') ||
    case when coalesce("first_name", "last_name", "email", "phone") is null then 'Visitor ' || right("id"::text, 4) else '' end
  )) || "workspace_word"("workspace_id")) stored;
create index "contacts_search" on "contacts" using gin ("search");
