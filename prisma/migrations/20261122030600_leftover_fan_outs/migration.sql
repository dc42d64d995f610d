-- Jobs of the version before that were queued with a change and not moved, or added while the migrations ran. Nothing
-- works them off any more, so their events would never be sent: these are fanned out as all are now. What was due of
-- single deliveries has its row in `drains`.
insert into "events_to_fan_out" ("event_id")
select distinct e."id"
from "queued_jobs" q
cross join lateral json_array_elements_text(q."payload"->'eventIds') as listed ("id")
join "events" e on e."id" = listed."id"::uuid
where q."task" = 'fan-out'
on conflict do nothing;

delete from "queued_jobs" where "task" in ('fan-out', 'deliver', 'deliver-slowly', 'cancel-deliveries');

insert into "drains" ("hook_id", "due_at")
select "hook_id", min("next_attempt_at") from "deliveries" where "ended_at" is null group by "hook_id"
on conflict do nothing;

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
      on conflict do nothing
    $carry$;
    execute $carry$
      delete from graphile_worker._private_jobs where task_id in (
        select id from graphile_worker._private_tasks
        where identifier in ('fan-out', 'deliver', 'deliver-slowly', 'cancel-deliveries'))
    $carry$;
  end if;
end
$$;
