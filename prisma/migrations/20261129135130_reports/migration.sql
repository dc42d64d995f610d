-- CreateTable
CREATE TABLE "report_changes" (
    "id" BIGSERIAL NOT NULL,
    "workspace_id" UUID NOT NULL,
    "conversation_id" UUID NOT NULL,

    CONSTRAINT "report_changes_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "conversation_facts" (
    "conversation_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "channel" "channel" NOT NULL,
    "assignee_id" UUID,
    "team_id" UUID,
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "created_day" DATE NOT NULL,
    "created_hour" SMALLINT NOT NULL,
    "replied_at" TIMESTAMPTZ,
    "replied_day" DATE,
    "reply_seconds" INTEGER,
    "resolved_at" TIMESTAMPTZ,
    "resolved_day" DATE,
    "resolve_seconds" INTEGER,
    "sla_day" DATE,
    "sla_met" BOOLEAN,
    "rated_day" DATE,
    "score" SMALLINT,

    CONSTRAINT "conversation_facts_pkey" PRIMARY KEY ("conversation_id")
);

-- CreateTable
CREATE TABLE "report_counts" (
    "workspace_id" UUID NOT NULL,
    "dimension" SMALLINT NOT NULL,
    "is_month" BOOLEAN NOT NULL,
    "day" DATE NOT NULL,
    "key" TEXT NOT NULL,
    "measure" SMALLINT NOT NULL,
    "bucket" SMALLINT NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "report_counts_pkey" PRIMARY KEY ("workspace_id","dimension","is_month","day","key","measure","bucket")
);

-- CreateTable
CREATE TABLE "report_states" (
    "workspace_id" UUID NOT NULL,
    "time_zone" TEXT NOT NULL,
    "filled_before" UUID,
    "filled_at" TIMESTAMPTZ,

    CONSTRAINT "report_states_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateIndex
CREATE INDEX "conversation_facts_workspace_id_created_day_conversation_id_idx" ON "conversation_facts"("workspace_id", "created_day" DESC, "conversation_id" DESC);

-- AddForeignKey
ALTER TABLE "conversation_facts" ADD CONSTRAINT "conversation_facts_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "report_counts" ADD CONSTRAINT "report_counts_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "report_states" ADD CONSTRAINT "report_states_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The conversations behind a number, newest first.
create index "conversation_facts_replied" on "conversation_facts" ("workspace_id", "replied_day" desc, "conversation_id" desc) where "replied_day" is not null;
create index "conversation_facts_resolved" on "conversation_facts" ("workspace_id", "resolved_day" desc, "conversation_id" desc) where "resolved_day" is not null;
create index "conversation_facts_sla" on "conversation_facts" ("workspace_id", "sla_day" desc, "conversation_id" desc) where "sla_day" is not null;
create index "conversation_facts_rated" on "conversation_facts" ("workspace_id", "rated_day" desc, "conversation_id" desc) where "rated_day" is not null;

-- Each change that figures depend on appends the conversation. There is no unique index: a change would wait for the job that removes
-- the row of the change before.
create function "mark_new_conversations"() returns trigger language plpgsql as $$
begin
  insert into "report_changes" ("workspace_id", "conversation_id") select "workspace_id", "id" from "inserted" where not "is_test";
  return null;
end $$;
create trigger "conversations_reported_insert" after insert on "conversations" referencing new table as "inserted"
  for each statement execute function "mark_new_conversations"();

create function "mark_changed_conversation"() returns trigger language plpgsql as $$
begin
  insert into "report_changes" ("workspace_id", "conversation_id") values (new."workspace_id", new."id");
  return null;
end $$;
create trigger "conversations_reported_update"
  after update of "status", "resolved_at", "assignee_id", "team_id", "removal", "merged_into_id" on "conversations"
  for each row when (not new."is_test" and (old."status" <> new."status" or old."resolved_at" is distinct from new."resolved_at"
    or old."assignee_id" is distinct from new."assignee_id" or old."team_id" is distinct from new."team_id"
    or old."removal" is distinct from new."removal" or old."merged_into_id" is distinct from new."merged_into_id"))
  execute function "mark_changed_conversation"();

create function "mark_conversation_of"() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    -- Not when the conversation is deleted, which takes its figures along.
    insert into "report_changes" ("workspace_id", "conversation_id")
    select "workspace_id", "id" from "conversations" where "id" = old."conversation_id";
  else
    insert into "report_changes" ("workspace_id", "conversation_id") values (new."workspace_id", new."conversation_id");
  end if;
  return null;
end $$;
create trigger "conversation_tags_reported" after insert or delete or update of "key" on "conversation_tags"
  for each row execute function "mark_conversation_of"();
create trigger "ratings_reported" after insert or delete or update of "score", "conversation_id" on "ratings"
  for each row execute function "mark_conversation_of"();
-- A clock stops with a change of the status or a reply, which have triggers of their own.
create trigger "sla_clocks_reported" after update of "breached_at" on "sla_clocks"
  for each row when (old."breached_at" is distinct from new."breached_at") execute function "mark_conversation_of"();

-- Only the first reply is counted, so later ones cost a lookup.
create function "mark_first_reply"() returns trigger language plpgsql as $$
begin
  if not exists (select from "conversation_facts" where "conversation_id" = new."conversation_id" and "replied_at" is not null) then
    insert into "report_changes" ("workspace_id", "conversation_id") values (new."workspace_id", new."conversation_id");
  end if;
  return null;
end $$;
create trigger "messages_reported_insert" after insert on "messages"
  for each row when (new."direction" = 'outbound' and new."author_kind" in ('teammate', 'workflow', 'program')
    and not new."automatic" and coalesce(new."send_status" = 'sent', true))
  execute function "mark_first_reply"();
create trigger "messages_reported_update" after update of "send_status" on "messages"
  for each row when (new."direction" = 'outbound' and new."author_kind" in ('teammate', 'workflow', 'program')
    and not new."automatic" and new."send_status" = 'sent' and old."send_status" is distinct from new."send_status")
  execute function "mark_first_reply"();

-- There is no foreign key, for which each change would lock the workspace. The name makes it run after the foreign keys of other tables.
create function "delete_report_changes"() returns trigger language plpgsql as $$
begin
  delete from "report_changes" where "workspace_id" = old."id";
  return null;
end $$;
create trigger "workspaces_reported_delete" after delete on "workspaces" for each row execute function "delete_report_changes"();
