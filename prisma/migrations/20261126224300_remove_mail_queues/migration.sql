-- Each sender of mail had its own queues, which stayed for good. Now mail has a fixed number of queues. The schema of the job
-- queue does not exist in a new database.
do $$
begin
  if to_regclass('graphile_worker._private_job_queues') is not null then
    delete from graphile_worker._private_job_queues q
    where q.queue_name like 'receive-mail:%' and q.locked_at is null
      and not exists (select from graphile_worker._private_jobs j where j.job_queue_id = q.id);
  end if;
end $$;
