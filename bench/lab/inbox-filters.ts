import type { FilledInbox } from '#bench/lab/fill-inbox.ts';
import type { InboxFilter } from '#server/screens/inbox/inbox-sql.ts';

/** What is asked of an inbox in benchmarks, by name: common and rare, one condition and several. */
export function inboxFilters({
  userId,
  teamId,
  email,
  orderNumber,
}: FilledInbox): Record<string, Omit<InboxFilter, 'workspaceId'>> {
  return {
    open: { status: 'open' },
    'all statuses': {},
    'assigned to me, open': { status: 'open', assigneeId: userId },
    'assigned to me, all': { assigneeId: userId },
    'unassigned, open': { status: 'open', assigneeId: null },
    'team, closed': { status: 'closed', teamId },
    'channel, open': { status: 'open', channel: 'slack' },
    'team and channel and me': { teamId, channel: 'slack', assigneeId: userId },
    'tag, common': { tag: 'Refund' },
    'tag, common, pending': { tag: 'Refund', status: 'pending' },
    'tag, none': { tag: 'no such tag' },
    'search, very common word': { search: 'order ' },
    'search, common beginning': { search: 'the' },
    'search, less common words': { search: 'finland green' },
    'search, rare word (an order)': { search: orderNumber },
    'search, a first name': { search: 'yuki ' },
    'search, a whole name': { search: 'yuki nowak' },
    'search, email': { search: email },
    'search, found nowhere': { search: 'xylophone' },
    'search, common words never together': { search: 'xylophone order' },
    'search, common word and team, open': { search: 'refund', teamId, status: 'open' },
  };
}
