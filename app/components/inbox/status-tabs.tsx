import { statusNames } from '#app/components/conversations/conversation-status-dot.tsx';
import { InboxLink } from '#app/components/view/inbox-view.tsx';
import { cx } from '#app/lib/cx.ts';
import { formatCount } from '#app/lib/format-count.ts';
import { type InboxStatus, type InboxView, inboxPath, inboxStatuses } from '#app/lib/inbox-path.ts';
import type { InboxCounts, ShownCount } from '#server/screens/inbox/views.ts';

/** `counts` is null while unknown. */
type Props = { view: InboxView; counts: InboxCounts | null };

/** Filters the list by status. Counts are below the names so that all five tabs fit. */
export function StatusTabs({ view, counts }: Props) {
  return (
    <nav aria-label="Status">
      <ul className="grid grid-cols-5 gap-0.5">
        {inboxStatuses.map((status) => (
          <li key={status}>
            <InboxLink
              href={inboxPath({ ...view, status })}
              aria-current={status === view.status ? 'page' : undefined}
              className={cx(
                'focus-inset grid justify-items-center rounded-md py-1 text-xs max-md:py-1.5',
                status === view.status
                  ? 'bg-accent-soft font-semibold text-accent-ink'
                  : 'text-ink-soft hover:bg-hover hover:text-ink',
              )}
            >
              {status === 'all' ? 'All' : statusNames[status]}{' '}
              <span className="tabular h-4 font-normal">
                {counts ? formatCount(countOf(status, counts)) : null}
              </span>
            </InboxLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const COUNTED_MAX = 999;

function countOf(status: InboxStatus, counts: InboxCounts): ShownCount {
  if (status !== 'all') return counts[status];
  const all = Object.values(counts);
  const sum = all.reduce((before, { count }) => before + count, 0);
  return { count: Math.min(sum, COUNTED_MAX), more: sum > COUNTED_MAX || all.some(({ more }) => more) };
}
