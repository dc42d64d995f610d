-- CreateEnum
CREATE TYPE "delivery_stage" AS ENUM ('queued', 'waiting', 'in_flight', 'handed_on');

-- DropIndex
DROP INDEX "events_workspace_id_created_at_idx";

-- AlterTable
ALTER TABLE "hooks" ADD COLUMN     "failing_since" TIMESTAMPTZ,
ADD COLUMN     "in_flight" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "next_start_at" TIMESTAMPTZ,
ADD COLUMN     "throttled_at" TIMESTAMPTZ,
ADD COLUMN     "timed_out_at" TIMESTAMPTZ,
ADD COLUMN     "waiting" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "earlier_attempts" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "stage" "delivery_stage" DEFAULT 'queued';

-- What the schema language cannot say.

update "deliveries" set "stage" = null where "ended_at" is not null;
alter table "deliveries" add constraint "deliveries_stage_until_ended" check (("ended_at" is null) = ("stage" is not null));
alter table "deliveries" add constraint "deliveries_earlier_attempts" check ("earlier_attempts" between 0 and "attempts");
alter table "hooks" add constraint "hooks_in_flight" check ("in_flight" >= 0);
alter table "hooks" add constraint "hooks_waiting" check ("waiting" >= 0);
update "hooks" set "failing_since" = now() where "consecutive_errors" > 0;
alter table "hooks" add constraint "hooks_failing_since_first_error" check (("consecutive_errors" > 0) = ("failing_since" is not null));

-- What a hook has yet to get: who has the next free slot, and what ends with the hook.
create index "deliveries_unended" on "deliveries" ("hook_id", "stage", "next_attempt_at", "id") where "ended_at" is null;
-- The log of what did not arrive, which is little among much, by the words of its filter.
create index "deliveries_undelivered" on "deliveries" (
  "workspace_id",
  (case
    when "outcome" in ('dropped', 'exhausted') then 'failed'
    when "outcome" = 'cancelled' then 'cancelled'
    when "attempts" > "earlier_attempts" then 'retrying'
    else 'waiting' end),
  "created_at" desc, "id" desc
) where "outcome" is distinct from 'delivered';
-- What failed lately and can be sent again.
create index "deliveries_failed" on "deliveries" ("workspace_id", "ended_at") where "outcome" in ('dropped', 'exhausted');
-- What retention removes.
create index "hooks_removed" on "hooks" ("removed_at") where "removed_at" is not null;
-- Retention goes by the age of events.
drop index "deliveries_ended";
