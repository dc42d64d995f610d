-- The table of jobs that wait for their change's commit is named after what it is: an outbox.
alter table "queued_jobs" rename to "job_outbox";
alter table "job_outbox" rename constraint "queued_jobs_pkey" to "job_outbox_pkey";
alter table "job_outbox" rename constraint "queued_jobs_task" to "job_outbox_task";
alter table "job_outbox" rename constraint "queued_jobs_job_key" to "job_outbox_job_key";
alter table "job_outbox" rename constraint "queued_jobs_queue_name" to "job_outbox_queue_name";
alter sequence "queued_jobs_id_seq" rename to "job_outbox_id_seq";
