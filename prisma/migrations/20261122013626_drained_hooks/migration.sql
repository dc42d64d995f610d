-- AlterTable
ALTER TABLE "connections" ADD COLUMN     "paced_until" TIMESTAMPTZ;

-- AlterTable
ALTER TABLE "hooks" DROP COLUMN "in_flight",
DROP COLUMN "waiting";

-- AlterTable
ALTER TABLE "deliveries" DROP COLUMN "stage";

-- DropEnum
DROP TYPE "delivery_stage";

-- CreateTable
CREATE TABLE "events_to_fan_out" (
    "event_id" UUID NOT NULL,

    CONSTRAINT "events_to_fan_out_pkey" PRIMARY KEY ("event_id")
);

-- CreateTable
CREATE TABLE "drains" (
    "hook_id" UUID NOT NULL,
    "due_at" TIMESTAMPTZ NOT NULL,
    "wakes" INTEGER NOT NULL DEFAULT 0,
    "drained_by" TEXT,

    CONSTRAINT "drains_pkey" PRIMARY KEY ("hook_id")
);

-- CreateIndex
CREATE INDEX "drains_due_at_idx" ON "drains"("due_at");

-- AddForeignKey
ALTER TABLE "drains" ADD CONSTRAINT "drains_hook_id_fkey" FOREIGN KEY ("hook_id") REFERENCES "hooks"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What the schema language cannot say.

-- What a hook has yet to get, in the order in which it is due: what its drainer reads.
drop index if exists "deliveries_unended";
create index "deliveries_unended" on "deliveries" ("hook_id", "next_attempt_at", "event_id") where "ended_at" is null;
drop index "deliveries_pending";

-- What was under way is looked at by the drainers: jobs of single deliveries and of fan-outs are no more.
insert into "drains" ("hook_id", "due_at")
select "hook_id", min("next_attempt_at") from "deliveries" where "ended_at" is null group by "hook_id";

-- The queue may not be there yet: a new database gets it after these migrations.
do $$
begin
  if to_regclass('graphile_worker._private_jobs') is not null then
    execute $carry$
      insert into events_to_fan_out (event_id)
      select distinct e.id
      from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id and t.identifier = 'fan-out'
      cross join lateral json_array_elements_text(j.payload->'eventIds') as listed (id)
      join events e on e.id = listed.id::uuid
    $carry$;
    execute $carry$
      delete from graphile_worker._private_jobs where task_id in (
        select id from graphile_worker._private_tasks
        where identifier in ('fan-out', 'deliver', 'deliver-slowly', 'cancel-deliveries'))
    $carry$;
  end if;
end
$$;
