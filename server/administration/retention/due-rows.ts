/** End of the time before which rows are due: midnight (UTC) `days` ago, so it is the same for a whole night. */
export function dueBefore(days: string, at = 'now()'): string {
  return `(date_trunc('day', ${at} at time zone 'UTC') at time zone 'UTC' - make_interval(days => ${days}))`;
}

/** Condition on a message `m`: it is about to be sent, or was not and a teammate can send it again. */
const CAN_BE_SENT = `(m.send_status in ('queued', 'sending')
  or m.send_status in ('failed', 'held_for_paywall') and m.failure_dismissed_at is null)`;

/**
 * Condition on a conversation `c`: it is solved, closed or spam, and nobody wrote in it, changed its status or restored it since.
 * Conversations with a reply that is still to be sent, and those of a contact that will be erased, are left alone.
 * @param before SQL of a timestamp
 */
export function isDueConversation(before: string): string {
  return `c.merged_into_id is null and not c.is_test
    and (c.removal = 'spam' or c.removal is null and c.status in ('solved', 'closed'))
    and c.last_message_at < ${before} and c.status_changed_at < ${before}
    and (c.removed_at is null or c.removed_at < ${before})
    and not exists (select from conversations o where o.workspace_id = c.workspace_id and o.merged_into_id = c.id
      and o.last_message_at >= ${before})
    and not exists (select from timeline_entries t where t.conversation_id = c.id and t.kind in ('restored', 'merge_undone')
      and t.created_at >= ${before})
    and not exists (select from pending_replies p where p.conversation_id = c.id)
    and not exists (select from messages m where m.conversation_id = c.id and ${CAN_BE_SENT})
    and not exists (select from contact_erasures e where e.workspace_id = c.workspace_id
      and (e.contact_id in (c.contact_id, c.linked_from_id) or c.id = any(e.shared_ids)))`;
}

/** Condition on an attachment `a`: it is not of a reply that is still to be sent. */
export const IS_DUE_FILE = `not exists (select from messages m where m.id = a.message_id and ${CAN_BE_SENT})`;
