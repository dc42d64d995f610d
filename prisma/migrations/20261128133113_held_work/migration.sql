-- CreateTable
CREATE TABLE "held_work" (
    "id" BIGSERIAL NOT NULL,
    "task" TEXT NOT NULL,
    "payload" JSON NOT NULL,
    "run_at" TIMESTAMPTZ,
    "job_key" TEXT,
    "queue_name" TEXT,
    "held_at" TIMESTAMPTZ NOT NULL DEFAULT now(),

    CONSTRAINT "held_work_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "held_work_task_idx" ON "held_work"("task");

-- The reason why a message was not sent, or not turned into one. The same text in both functions that compare it.
create function "not_sent_since_restore"() returns text language sql immutable as $$
  select 'It is not known if this was sent: the service was restored from a backup.'
$$;

-- Holds what a restored database would send or do again, before a worker runs on it. It is a function, so that each backup contains the one
-- that fits its tables. Jobs leave the queue, events leave the fan-out, and deliveries end, so no statement of a worker finds them. A
-- teammate may send a failed message again, or a delivery, before an operator releases it: the release then changes nothing.
-- Repeated calls hold what was added since.
create function "hold_restored_work"() returns void language plpgsql as $$
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
  from unnest(array['breach-clocks', 'close-solved', 'end-snoozes', 'mail-unseen']) as clocks (task)
  where not exists (select from public.held_work h where h.task = clocks.task);
end
$$;
