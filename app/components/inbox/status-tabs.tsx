import Link from 'next/link';
import { statusNames } from '#app/components/conversations/conversation-status-dot.tsx';
import { cx } from '#app/lib/cx.ts';
import { type InboxStatus, type InboxView, inboxPath, inboxStatuses } from '#app/lib/inbox-path.ts';
import { shownCount } from '#app/lib/shown-count.ts';
import type { InboxCounts, ShownCount } from '#server/conversations/views.ts';

/** Narrows the list to a status; each says how many it holds. */
export function StatusTabs({ view, counts }: { view: InboxView; counts: InboxCounts }) {
  return (
    <nav aria-label="Status" className="scroll-pane overflow-x-auto overflow-y-hidden">
      <ul className="flex min-w-max md:justify-between">
        {inboxStatuses.map((status) => (
          <li key={status}>
            <Link
              href={inboxPath({ ...view, status })}
              prefetch={false}
              scroll={false}
              aria-current={status === view.status ? 'page' : undefined}
              className={cx(
                'focus-inset inline-flex h-7 items-center gap-1 rounded-md px-1.5 text-xs max-md:h-11 max-md:px-2.5 max-md:text-list',
                status === view.status
                  ? 'bg-accent-soft font-semibold text-accent-ink'
                  : 'text-ink-soft hover:bg-hover hover:text-ink',
              )}
            >
              {status === 'all' ? 'All' : statusNames[status]}{' '}
              <TabCount status={status} count={countOf(status, counts)} />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Of all together more than can be counted goes without saying: the room is needed by the others. */
function TabCount({ status, count }: { status: InboxStatus; count: ShownCount }) {
  if (status === 'all' && count.more) return null;
  return <span className="tabular font-normal">{shownCount(count)}</span>;
}

const COUNTED_MAX = 999;

function countOf(status: InboxStatus, counts: InboxCounts): ShownCount {
  if (status !== 'all') return counts[status];
  const all = Object.values(counts);
  const sum = all.reduce((before, { count }) => before + count, 0);
  return { count: Math.min(sum, COUNTED_MAX), more: sum > COUNTED_MAX || all.some(({ more }) => more) };
}
