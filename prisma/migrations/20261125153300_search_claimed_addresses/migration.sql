-- Teammates also find contacts by the address that they claim. The API does not (docs/rulings.md 3.13).
alter table "contacts" drop column "search";
alter table "contacts" add column "search" tsvector
  generated always as (strip("searchable_words"(
    coalesce("first_name", '') || ' ' || coalesce("last_name", '') || ' ' || coalesce("email", "claimed_email", '') || ' ' ||
    coalesce("phone", '') || ' ' || coalesce("phone_digits", '') ||
    case when coalesce("first_name", "last_name", "email", "phone") is null then 'Visitor ' || right("id"::text, 4) else '' end
  )) || "workspace_word"("workspace_id")) stored;
create index "contacts_search" on "contacts" using gin ("search");
