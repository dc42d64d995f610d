import Link from 'next/link';
import { ChannelIcon } from '#app/components/conversations/channel-icon.tsx';
import { ConversationStatusDot } from '#app/components/conversations/conversation-status-dot.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { cx } from '#app/lib/cx.ts';
import type { ConversationRow } from '#server/conversations/views.ts';

type Props = { row: ConversationRow; href: string; selected?: boolean };

/** One conversation in a list: who, when, about what, in which state, whose. */
export function ConversationLink({ row, href, selected = false }: Props) {
  return (
    <Link
      href={href}
      prefetch={false}
      scroll={false}
      aria-current={selected ? 'true' : undefined}
      className={cx(
        'focus-inset grid grid-cols-[minmax(0,1fr)] gap-1 border-b px-4 py-2.5 text-list',
        selected ? 'bg-accent-soft shadow-[inset_2px_0_var(--accent-ink)]' : 'hover:bg-hover',
      )}
    >
      <span className="flex items-baseline gap-2">
        <span className="min-w-0 grow truncate font-semibold">{row.contactName ?? 'Unknown contact'}</span>
        <RelativeTime at={row.lastMessageAt} style="lists" className="shrink-0 text-ink-faint text-xs" />
      </span>
      {row.subject ? <bdi className="truncate">{row.subject}</bdi> : null}
      <span dir="auto" className={cx('text-left text-ink-soft', row.subject ? 'truncate' : 'line-clamp-2')}>
        {row.preview ?? 'No messages yet'}
      </span>
      <span className="flex items-center gap-2 text-ink-faint text-xs">
        <ChannelIcon channel={row.channel} />
        <ConversationStatusDot status={row.status} />
        <span className="min-w-0 grow truncate text-right">{row.assigneeName ?? 'Unassigned'}</span>
      </span>
    </Link>
  );
}
