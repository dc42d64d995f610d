import { commandNotices, publishCommandState } from '#server/automation/deliveries/command-notices.ts';
import { pool } from '#server/core/database/pools.ts';
import { publish } from '#server/core/live/publish.ts';

/** Maximum deliveries that one statement cancels, to hold locks briefly. */
const CANCEL_BATCH = 1_000;

const CANCEL = {
  name: 'cancel-deliveries',
  text: `
    with removed as (
      select id, event = 'operator.command' as is_command from hooks
      where id = $1 and removed_at is not null for no key update
    ), doomed as (
      select d.event_id, d.hook_id, removed.is_command from deliveries d, removed
      where d.hook_id = removed.id and d.ended_at is null and d.event_id <> all ($2::uuid[])
      limit ${CANCEL_BATCH}
      for update of d
    ), cancelled as (
      update deliveries d set ended_at = now(), outcome = 'cancelled', next_attempt_at = null
      from doomed
      where d.event_id = doomed.event_id and d.hook_id = doomed.hook_id
      returning d.event_id, doomed.is_command, d.outcome as ended_as, d.attempts as number,
        null::attempt_outcome as kind, null::int as status_code
    ), informed as (${commandNotices('cancelled')}
    )
    select (select count(*) from cancelled)::int as ended, (select workspace_id from hooks where id = $1) as "workspaceId",
      exists (select from informed) as "isCommand"`,
};

/**
 * Cancels the undelivered deliveries of a removed hook. Notifies the teammates of cancelled commands. Idempotent.
 * @param busy ids of events in flight, whose deliveries end with their attempts
 */
export async function cancelDeliveries(hookId: string, busy: string[]): Promise<void> {
  for (let ended = CANCEL_BATCH; ended === CANCEL_BATCH; ) {
    const { rows } = await pool().query<{ ended: number; workspaceId: string | null; isCommand: boolean }>({
      ...CANCEL,
      values: [hookId, busy],
    });
    const [row] = rows;
    ended = row?.ended ?? 0;
    if (!row?.workspaceId || ended === 0) return;
    publish(row.workspaceId, 'deliveries');
    if (row.isCommand) publishCommandState(row.workspaceId);
  }
}
