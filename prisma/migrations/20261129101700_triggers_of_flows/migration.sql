-- AlterTable
ALTER TABLE "flows" ADD COLUMN     "timed_until" TIMESTAMPTZ,
ADD COLUMN     "timed_until_id" UUID,
ADD COLUMN     "trigger" TEXT NOT NULL DEFAULT 'conversation_started';

-- CreateTable
CREATE TABLE "flow_causes" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "conversation_id" UUID NOT NULL,
    "causes" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "flow_causes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "flow_runs" (
    "conversation_id" UUID NOT NULL,
    "flow_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "counted_from" TIMESTAMPTZ NOT NULL,
    "runs" INTEGER NOT NULL,
    "last_run_at" TIMESTAMPTZ NOT NULL,
    "stopped_at" TIMESTAMPTZ,

    CONSTRAINT "flow_runs_pkey" PRIMARY KEY ("conversation_id","flow_id")
);

-- CreateIndex
CREATE INDEX "flow_causes_workspace_id_conversation_id_idx" ON "flow_causes"("workspace_id", "conversation_id");

-- CreateIndex
CREATE INDEX "flow_causes_created_at_idx" ON "flow_causes"("created_at");

-- CreateIndex
CREATE INDEX "flow_runs_flow_id_last_run_at_idx" ON "flow_runs"("flow_id", "last_run_at");

-- AddForeignKey
ALTER TABLE "flow_causes" ADD CONSTRAINT "flow_causes_workspace_id_conversation_id_fkey" FOREIGN KEY ("workspace_id", "conversation_id") REFERENCES "conversations"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "flow_runs" ADD CONSTRAINT "flow_runs_workspace_id_conversation_id_fkey" FOREIGN KEY ("workspace_id", "conversation_id") REFERENCES "conversations"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "flow_runs" ADD CONSTRAINT "flow_runs_flow_id_fkey" FOREIGN KEY ("flow_id") REFERENCES "flows"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What the schema cannot express.
create index "flow_runs_stopped" on "flow_runs" ("flow_id") where "stopped_at" is not null;
create index "flow_runs_old" on "flow_runs" ("last_run_at") where "stopped_at" is null;

-- Of a backup, flows that wait for time to pass run only after its work was released.
CREATE OR REPLACE FUNCTION public.hold_restored_work()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from public.worker_leases where expires_at > clock_timestamp()) then
    raise exception 'A worker runs on this database.' using errcode = 'object_in_use';
  end if;
  delete from public.worker_leases;

  with jobs as (
    delete from graphile_worker._private_jobs where attempts < max_attempts or locked_at is not null returning *
  )
  insert into public.held_work (task, payload, run_at, job_key, queue_name)
  select t.identifier, j.payload, j.run_at, j.key, q.queue_name
  from jobs j
  join graphile_worker._private_tasks t on t.id = j.task_id
  left join graphile_worker._private_job_queues q on q.id = j.job_queue_id
  -- The schedule adds its jobs again.
  where j.payload::jsonb ->> '_cron' is null
  order by j.id;
  update graphile_worker._private_job_queues set locked_at = null, locked_by = null where locked_at is not null;

  with jobs as (delete from public.job_outbox returning *)
  insert into public.held_work (task, payload, run_at, job_key, queue_name)
  select task, payload, coalesce(run_at, queued_at), job_key, queue_name from jobs order by id;

  with events as (delete from public.events_to_fan_out returning event_id)
  insert into public.held_work (task, payload)
  select 'fan-out', json_build_object('eventId', event_id) from events order by event_id;

  with ended as (
    update public.deliveries set ended_at = now(), outcome = 'cancelled', next_attempt_at = null
    where ended_at is null returning event_id, hook_id
  )
  insert into public.held_work (task, payload)
  select 'deliver', json_build_object('eventId', event_id, 'hookId', hook_id) from ended order by event_id, hook_id;
  delete from public.hook_queue;

  update public.messages set send_status = 'failed', delivery_error = public.not_sent_since_restore()
  where send_status = 'queued';
  update public.pending_replies set problem = public.not_sent_since_restore() where problem is null;

  -- These tasks find their work in the rows, such as a snooze that ended after the backup was taken.
  insert into public.held_work (task, payload)
  select clocks.task, '{}'
  from unnest(array['apply-retention', 'breach-clocks', 'close-solved', 'end-snoozes', 'mail-unseen', 'run-timed-flows']) as clocks (task)
  where not exists (select from public.held_work h where h.task = clocks.task);
end
$function$
;
