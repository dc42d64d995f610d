-- CreateTable
CREATE TABLE "queued_jobs" (
    "id" BIGSERIAL NOT NULL,
    "task" TEXT NOT NULL,
    "payload" JSON NOT NULL,
    "run_at" TIMESTAMPTZ,
    "job_key" TEXT,
    "queue_name" TEXT,
    "queued_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "queued_jobs_pkey" PRIMARY KEY ("id")
);

-- What the queue would refuse may not get here: one such row would hold up all that are moved with it.
alter table "queued_jobs" add constraint "queued_jobs_task" check (char_length("task") between 1 and 128);
alter table "queued_jobs" add constraint "queued_jobs_job_key" check (char_length("job_key") between 1 and 512);
alter table "queued_jobs" add constraint "queued_jobs_queue_name" check (char_length("queue_name") between 1 and 128);

-- A row lives for a moment: few dead ones are enough to clean up after.
alter table "queued_jobs" set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
