-- AlterTable
ALTER TABLE "conversations" ADD COLUMN     "next_due_at" TIMESTAMPTZ,
ADD COLUMN     "waiting_since" TIMESTAMPTZ;

-- An SLA clock runs while it is neither paused nor stopped.
create function "update_next_due"() returns trigger language plpgsql as $$
declare
  due timestamptz := (select min("due_at") from "sla_clocks"
    where "conversation_id" = new."conversation_id" and "stopped_at" is null and "paused_at" is null);
begin
  update "conversations" set "next_due_at" = due where "id" = new."conversation_id" and "next_due_at" is distinct from due;
  return null;
end $$;
create trigger "sla_clocks_next_due_insert" after insert on "sla_clocks" for each row execute function "update_next_due"();
create trigger "sla_clocks_next_due_update" after update of "due_at", "paused_at", "stopped_at" on "sla_clocks" for each row
  when (old."due_at" is distinct from new."due_at" or old."paused_at" is distinct from new."paused_at"
    or old."stopped_at" is distinct from new."stopped_at")
  execute function "update_next_due"();

update "conversations" c set "next_due_at" = s."due_at" from (
  select "conversation_id", min("due_at") as "due_at" from "sla_clocks"
  where "stopped_at" is null and "paused_at" is null group by "conversation_id"
) s where c."id" = s."conversation_id";

update "conversations" c set "waiting_since" = (
  select min(m."created_at") from "messages" m
  where m."conversation_id" = c."id" and m."direction" = 'inbound' and not m."automatic" and m."created_at" > coalesce((
    select max(o."created_at") from "messages" o
    where o."conversation_id" = c."id" and o."direction" = 'outbound'), '-infinity')
) where c."status" in ('open', 'pending');

-- The orders "waiting longest" and "due first". Each index has only the conversations that wait or have a running SLA clock.
create index "inbox_waiting" on "conversations" ("workspace_id", "status", "waiting_since", "id")
  where "waiting_since" is not null and "status" in ('open', 'pending')
    and "merged_into_id" is null and not "is_test" and "removal" is null;
create index "inbox_waiting_by_team" on "conversations" ("workspace_id", "team_id", "status", "waiting_since", "id")
  where "team_id" is not null and "waiting_since" is not null and "status" in ('open', 'pending')
    and "merged_into_id" is null and not "is_test" and "removal" is null;
create index "inbox_waiting_by_assignee" on "conversations" ("workspace_id", "assignee_id", "status", "waiting_since", "id")
  where "assignee_id" is not null and "waiting_since" is not null and "status" in ('open', 'pending')
    and "merged_into_id" is null and not "is_test" and "removal" is null;
create index "inbox_waiting_unassigned" on "conversations" ("workspace_id", "status", "waiting_since", "id")
  where "assignee_id" is null and "waiting_since" is not null and "status" in ('open', 'pending')
    and "merged_into_id" is null and not "is_test" and "removal" is null;
create index "inbox_due" on "conversations" ("workspace_id", "status", "next_due_at", "id")
  where "next_due_at" is not null and "merged_into_id" is null and not "is_test" and "removal" is null;
create index "inbox_due_by_team" on "conversations" ("workspace_id", "team_id", "status", "next_due_at", "id")
  where "team_id" is not null and "next_due_at" is not null
    and "merged_into_id" is null and not "is_test" and "removal" is null;
create index "inbox_due_by_assignee" on "conversations" ("workspace_id", "assignee_id", "status", "next_due_at", "id")
  where "assignee_id" is not null and "next_due_at" is not null
    and "merged_into_id" is null and not "is_test" and "removal" is null;
create index "inbox_due_unassigned" on "conversations" ("workspace_id", "status", "next_due_at", "id")
  where "assignee_id" is null and "next_due_at" is not null
    and "merged_into_id" is null and not "is_test" and "removal" is null;
