'use client';

import { CircleDashed } from 'lucide-react';
import Link from 'next/link';
import { memo } from 'react';
import { AddressNotVerifiedSign } from '#app/components/conversations/address-not-verified.tsx';
import { ChannelIcon } from '#app/components/conversations/channel-icon.tsx';
import { ConversationStatusDot } from '#app/components/conversations/conversation-status-dot.tsx';
import { DueHint } from '#app/components/conversations/due-hint.tsx';
import { TagHints } from '#app/components/conversations/tag-hints.tsx';
import { showInbox } from '#app/components/inbox/shown/show-inbox.ts';
import { Avatar } from '#app/components/ui/avatar.tsx';
import { RelativeTime } from '#app/components/ui/time/relative-time.tsx';
import { cx } from '#app/lib/cx.ts';
import type { ConversationRow, InboxRow } from '#server/inbox/conversations/views.ts';

type Props = {
  row: ConversationRow | InboxRow;
  href: string;
  selected?: boolean;
  /** In the list of the inbox itself, which opens it at once. */
  inInbox?: boolean;
};

/** One conversation in a list: who, when, about what, in which state, whose; in the inbox also its tags and time limit. */
export const ConversationLink = memo(function ConversationLink({
  row,
  href,
  selected = false,
  inInbox = false,
}: Props) {
  const tags = 'tags' in row ? row.tags : [];
  const dueAt = 'dueAt' in row ? row.dueAt : null;
  return (
    <Link
      href={href}
      prefetch={false}
      scroll={false}
      onNavigate={(event) => {
        if (!inInbox) return;
        event.preventDefault();
        showInbox(href);
      }}
      data-conversation={row.id}
      aria-current={selected ? 'true' : undefined}
      className={cx(
        'focus-inset grid grid-cols-[minmax(0,1fr)] gap-1 border-b px-4 py-2.5 text-list',
        selected ? 'bg-accent-soft shadow-[inset_2px_0_var(--accent-ink)]' : 'hover:bg-hover',
      )}
    >
      <span className="flex items-baseline gap-2">
        <span className="flex min-w-0 grow items-baseline gap-1.5">
          <span className="truncate font-semibold">{row.contactName ?? 'Unknown contact'}</span>
          {row.contactClaimed ? <AddressNotVerifiedSign /> : null}
        </span>
        <RelativeTime at={row.lastMessageAt} style="lists" className="shrink-0 text-ink-faint text-xs" />
      </span>
      {row.subject ? <bdi className="truncate">{row.subject}</bdi> : null}
      <span dir="auto" className={cx('text-left text-ink-soft', row.subject ? 'truncate' : 'line-clamp-2')}>
        {row.preview ?? 'No messages yet'}
      </span>
      <span className="flex h-5 items-center gap-2 text-ink-faint text-xs">
        <ChannelIcon channel={row.channel} />
        <ConversationStatusDot status={row.status} />
        {dueAt ? <DueHint at={dueAt} /> : null}
        <TagHints tags={tags} />
        {row.assigneeName === null ? (
          <span title="Unassigned" className="inline-flex shrink-0">
            <CircleDashed aria-hidden size={20} strokeWidth={1.25} />
            <span className="sr-only">Unassigned</span>
          </span>
        ) : (
          <span title={row.assigneeName} className="inline-flex shrink-0">
            <Avatar name={row.assigneeName} size="small" />
            <span className="sr-only">Assigned to {row.assigneeName}</span>
          </span>
        )}
      </span>
    </Link>
  );
});
