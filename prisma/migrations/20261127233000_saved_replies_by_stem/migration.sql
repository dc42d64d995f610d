-- The searched words of saved replies: every word as it is, and its stem in the workspace's language, as those of messages. They have no
-- index, because a teammate sees at most 600.
alter table "saved_replies" add column "search" tsvector;

create function "write_saved_reply_search"() returns trigger language plpgsql as $$
begin
  new."search" := "searchable_text"(new."workspace_id",
    (select "search_language" from "workspaces" where "id" = new."workspace_id"),
    concat_ws(' ', new."name", new."folder", new."content"));
  return new;
end $$;
create trigger "saved_replies_search" before insert or update of "name", "folder", "content" on "saved_replies"
  for each row execute function "write_saved_reply_search"();

update "saved_replies" set "name" = "name";
