'use client';

import Link from 'next/link';
import { memo } from 'react';
import { AddressNotVerifiedIcon } from '#app/components/conversations/address-not-verified.tsx';
import { channels } from '#app/components/conversations/channel-icon.tsx';
import { ConversationStatusDot } from '#app/components/conversations/conversation-status-dot.tsx';
import { RowIcon, TagHints } from '#app/components/conversations/row-icons.tsx';
import { InboxLink } from '#app/components/inbox/inbox-link.tsx';
import { Avatar } from '#app/components/ui/avatar.tsx';
import { useNow } from '#app/components/ui/now-provider.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { cx } from '#app/lib/cx.ts';
import { dueHint } from '#app/lib/due-hint.ts';
import type { InboxStatus } from '#app/lib/inbox-path.ts';
import type { ConversationRow, InboxRow } from '#server/screens/inbox/views.ts';

type Props = {
  row: ConversationRow | InboxRow;
  href: string;
  selected?: boolean;
  /** Status of the current tab. Rows with this status do not repeat it. */
  listed?: InboxStatus | undefined;
  /** The link is in the inbox list and opens without a page request. */
  inInbox?: boolean;
};

/** Row of a conversation list. The inbox also shows tags and SLA targets. Needs `RowIcons` once on the page. */
export const ConversationLink = memo(function ConversationLink({
  row,
  href,
  selected = false,
  listed,
  inInbox = false,
}: Props) {
  const link = {
    href,
    className: 'row',
    'data-conversation': row.id,
    'aria-current': selected ? ('true' as const) : undefined,
    children: <RowContent row={row} listed={listed} />,
  };
  return inInbox ? <InboxLink {...link} /> : <Link {...link} prefetch={false} scroll={false} />;
});

function RowContent({ row, listed }: Pick<Props, 'row' | 'listed'>) {
  const tags = 'tags' in row ? row.tags : [];
  const dueAt = 'dueAt' in row ? row.dueAt : null;
  return (
    <>
      <span className="row-head">
        <span className="row-who">
          <b>{row.contactName ?? 'Unknown contact'}</b>
          {row.contactClaimed ? <AddressNotVerifiedIcon /> : null}
        </span>
        <RelativeTime at={row.lastMessageAt} style="lists" />
      </span>
      <span dir="auto" className="row-text">
        {row.subject ? (
          <>
            <bdi>{row.subject}</bdi> ·{' '}
          </>
        ) : null}
        {row.preview ?? 'No messages yet'}
      </span>
      <span className="row-state">
        <RowIcon icon={row.channel} name={channels[row.channel].name} />
        {row.status === listed ? null : <ConversationStatusDot status={row.status} />}
        {dueAt ? <DueHint at={dueAt} /> : null}
        <TagHints tags={tags} />
        {row.assigneeName === null ? (
          <RowIcon icon="unassigned" name="Unassigned" />
        ) : (
          <span title={row.assigneeName} className="inline-flex shrink-0">
            <Avatar name={row.assigneeName} size="small" />
            <span className="sr-only">Assigned to {row.assigneeName}</span>
          </span>
        )}
      </span>
    </>
  );
}

/** Shows that an SLA target is overdue or due soon. */
function DueHint({ at }: { at: Date }) {
  const { now } = useNow();
  const hint = dueHint(at, now);
  if (!hint) return null;
  return (
    <span className={cx('shrink-0 font-medium', hint.overdue ? 'text-danger-ink' : 'text-note-ink')}>
      {hint.words}
    </span>
  );
}
