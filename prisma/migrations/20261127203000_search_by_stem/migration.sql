-- AlterTable
ALTER TABLE "workspaces" ADD COLUMN     "search_language" TEXT NOT NULL DEFAULT 'english';

alter table "workspaces" add constraint "workspaces_search_language" check ("search_language" in (
  'arabic', 'armenian', 'basque', 'catalan', 'danish', 'dutch', 'english', 'finnish', 'french', 'german', 'greek', 'hindi',
  'hungarian', 'indonesian', 'irish', 'italian', 'lithuanian', 'nepali', 'norwegian', 'portuguese', 'romanian', 'russian', 'serbian',
  'spanish', 'swedish', 'tamil', 'turkish', 'yiddish', 'simple'));

-- The words of messages, notes and subjects now include their stems in the workspace's language, in the same column and index. A generated column
-- cannot read the workspace, so triggers write these columns. Dropping the expression rewrites no row. Until a job has added the stems of an
-- existing row, it is found by its words as before.
create function "separated_words"("given" text) returns text
  language sql immutable parallel safe
  return translate("given",
    U&'!"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~\00a0\00a1\00ab\00b7\00bb\00bf\2013\2014\2018\2019\201a\201c\201d\201e\2022\2026\3001\3002\300c\300d',
    repeat(' ', 52));
create or replace function "searchable_words"("given" text) returns tsvector
  language sql immutable parallel safe
  return to_tsvector('simple'::regconfig, "separated_words"("given"));

-- The configurations of PostgreSQL are constant, so these functions are immutable, although finding one by its name is not.
create function "stems_of"("language" text, "given" text) returns tsvector
  language plpgsql immutable parallel safe as $$
begin
  return case when "language" = 'simple' then '' else to_tsvector(('pg_catalog.' || "language")::regconfig, "separated_words"("given")) end;
end $$;
create function "searchable_text"("workspace_id" uuid, "language" text, "given" text) returns tsvector
  language sql immutable parallel safe
  return strip("searchable_words"("given") || "stems_of"("language", "given")) || "workspace_word"("workspace_id");

-- Each word of a search, or its stem. Of a question, words without meaning in the language may be missing, if two others remain.
-- The cost keeps PostgreSQL from generic plans, which would call the function for each row: other plans call it once.
create function "stemmed_query"("language" text, "words" text[], "is_prefix" boolean) returns tsquery
  language plpgsql immutable parallel safe cost 10000 as $$
declare
  "every" tsquery;
  "meant" tsquery;
  "meant_count" int := 0;
  "either" tsquery;
  "stems" text[];
begin
  for "n" in 1 .. cardinality("words") loop
    -- PostgreSQL joins the parts of a word such as 1e07b by <->, which needs positions that are not stored.
    "either" := replace(to_tsquery('simple', '''' || "words"["n"] || '''' ||
      case when "is_prefix" and "n" = cardinality("words") then ':*' else '' end)::text, '<->', '&')::tsquery;
    "stems" := tsvector_to_array("stems_of"("language", "words"["n"]));
    if cardinality("stems") > 0 then
      "either" := "either" || (select string_agg('''' || "stem" || '''', ' & ') from unnest("stems") "stem")::tsquery;
      "meant" := case when "meant" is null then "either" else "meant" && "either" end;
      "meant_count" := "meant_count" + 1;
    end if;
    "every" := case when "every" is null then "either" else "every" && "either" end;
  end loop;
  return case when "meant_count" >= 2 then "meant" else "every" end;
end $$;

-- The words of a text that have the same stem as a word of a search. Compares only words with the same first letter.
create function "words_of_stem"("language" text, "words" text[], "given" text) returns text[]
  language sql immutable parallel safe
  return array(
    select "word" from unnest(tsvector_to_array("searchable_words"("given"))) "word"
    where left("word", 1) = any (array(select left(lower("sought"), 1) from unnest("words") "sought"))
      and tsvector_to_array("stems_of"("language", "word")) && array(
        select unnest(tsvector_to_array("stems_of"("language", "sought"))) from unnest("words") "sought"));

alter table "messages" alter column "search" drop expression;
alter table "notes" alter column "search" drop expression;
alter table "conversations" alter column "search" drop expression;

create function "write_content_search"() returns trigger language plpgsql as $$
begin
  new."search" := "searchable_text"(new."workspace_id",
    (select "search_language" from "workspaces" where "id" = new."workspace_id"), left(new."content", tg_argv[0]::int));
  return new;
end $$;
create trigger "messages_search" before insert or update of "content" on "messages"
  for each row execute function "write_content_search"(8000);
create trigger "notes_search" before insert or update of "content" on "notes"
  for each row execute function "write_content_search"(10000);

create function "write_subject_search"() returns trigger language plpgsql as $$
begin
  new."search" := case when new."subject" is not null then "searchable_text"(new."workspace_id",
    (select "search_language" from "workspaces" where "id" = new."workspace_id"), new."subject") end;
  return new;
end $$;
create trigger "conversations_search" before insert or update of "subject" on "conversations"
  for each row execute function "write_subject_search"();

insert into "job_outbox" ("task", "payload", "queue_name")
select 'update-search', json_build_object('workspaceId', "id"), 'update-search' from "workspaces" where "deleted_at" is null;
