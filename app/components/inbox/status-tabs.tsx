import Link from 'next/link';
import { statusNames } from '#app/components/conversations/conversation-status-dot.tsx';
import { cx } from '#app/lib/cx.ts';
import { type InboxStatus, inboxPath, inboxStatuses } from '#app/lib/inbox-path.ts';
import type { ConversationStatus } from '#server/conversations/views.ts';

type Props = { current: InboxStatus; counts: Partial<Record<ConversationStatus, number>> };

/** Narrows the list to a status; each says how many it holds. */
export function StatusTabs({ current, counts }: Props) {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return (
    <nav aria-label="Status" className="scroll-pane overflow-x-auto overflow-y-hidden">
      <ul className="flex min-w-max gap-0.5">
        {inboxStatuses.map((status) => (
          <li key={status}>
            <Link
              href={inboxPath({ status, selected: undefined })}
              prefetch={false}
              aria-current={status === current ? 'page' : undefined}
              className={cx(
                'focus-inset inline-flex h-7 items-center gap-1 rounded-md px-1.5 text-xs max-md:h-9 max-md:px-2.5 max-md:text-list',
                status === current
                  ? 'bg-accent-soft font-semibold text-accent-ink'
                  : 'text-ink-soft hover:bg-hover hover:text-ink',
              )}
            >
              {status === 'all' ? 'All' : statusNames[status]}{' '}
              <span className="tabular font-normal">
                {(status === 'all' ? all : (counts[status] ?? 0)).toLocaleString('en-GB')}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
