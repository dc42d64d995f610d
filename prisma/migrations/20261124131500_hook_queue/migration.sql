-- The queue of hooks that have deliveries to send is named like one.
alter table "drains" rename to "hook_queue";
alter table "hook_queue" rename column "drained_by" to "claimed_by";
alter table "hook_queue" rename constraint "drains_pkey" to "hook_queue_pkey";
alter table "hook_queue" rename constraint "drains_hook_id_fkey" to "hook_queue_hook_id_fkey";
alter index "drains_due_at_idx" rename to "hook_queue_due_at_idx";
