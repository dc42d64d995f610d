import { publish } from '#server/core/live/publish.ts';

/**
 * Returns a statement that notifies the teammates whose commands ended undelivered (`docs/spec.md` §1, workflow commands), as
 * part of the statement that ends the deliveries. Runs are looked up one by one, and only for events of commands.
 * @param ended a CTE with `event_id`, `is_command`, `ended_as`, `number` (of the last attempt), `kind` and `status_code`
 */
export function commandNotices(ended: string): string {
  return `
    insert into notifications (id, workspace_id, user_id, kind, conversation_id, data, created_at)
    select gen_random_uuid(), r.workspace_id, r.operator_id, 'command_failed', r.conversation_id,
      json_build_object('command', r.command, 'outcome', e.ended_as, 'attempts', e.number,
        'last', case when e.kind is not null then json_build_object('outcome', e.kind, 'statusCode', e.status_code) end),
      now()
    from ${ended} e
    cross join lateral (select * from command_runs where e.is_command and id = e.event_id limit 1) r
    where e.ended_as in ('dropped', 'exhausted', 'cancelled')
      and exists (select from members where workspace_id = r.workspace_id and user_id = r.operator_id)
    returning workspace_id`;
}

/** Notifies the pages that show what became of a command, and those of the notified teammate. */
export function publishCommandState(workspaceId: string): void {
  publish(workspaceId, 'conversations');
  publish(workspaceId, 'notifications');
}
