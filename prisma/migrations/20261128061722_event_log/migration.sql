-- Order of the event log: the epoch and the transaction that recorded the event, then the event's id. Reading stops before the oldest
-- transaction that is still open (`pg_snapshot_xmin`), so that a later commit never adds an event before a cursor.

CREATE TABLE "event_log_epochs" (
    "number" SERIAL NOT NULL,
    "history" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),

    CONSTRAINT "event_log_epochs_pkey" PRIMARY KEY ("number")
);

-- Transaction ids increase only within one history of a database: a restore starts them anew, or from an earlier one. The
-- lock waits for transactions that record events of the last epoch, and later ones read the new number.
create function "start_log_epoch"() returns void language plpgsql as $$
declare
  current_history text := (
    select system_identifier::text || '-' || left(pg_walfile_name(pg_current_wal_lsn()), 8) from pg_control_system());
begin
  if current_history = (select history from event_log_epochs order by number desc limit 1) then return; end if;
  lock table only events in share row exclusive mode;
  insert into event_log_epochs (history)
  select current_history
  where current_history is distinct from (select history from event_log_epochs order by number desc limit 1);
end
$$;
select start_log_epoch();

-- Returns the position of a transaction of the current epoch. The planner knows how the values of one column are spread, and
-- 2^44 transactions of an epoch last for decades.
create function "log_position"("xid" text) returns bigint language sql stable as $$
  select coalesce(max(number), 0) * (1::bigint << 44) + xid::bigint from event_log_epochs
$$;

-- Earlier events are not in the log: they name no cause and no conversation. A constant default does not rewrite the table.
ALTER TABLE "events" ADD COLUMN     "actor" JSON,
ADD COLUMN     "cause_id" UUID,
ADD COLUMN     "conversation_id" UUID,
ADD COLUMN     "log_position" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "events" ALTER COLUMN "log_position" SET DEFAULT log_position((pg_current_xact_id())::text);

CREATE INDEX "events_workspace_id_log_position_id_idx" ON "events"("workspace_id", "log_position", "id");
