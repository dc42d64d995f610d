'use client';

import Link from 'next/link';
import { memo } from 'react';
import { AddressNotVerifiedSign } from '#app/components/conversations/address-not-verified.tsx';
import { channels } from '#app/components/conversations/channel-icon.tsx';
import { ConversationStatusDot } from '#app/components/conversations/conversation-status-dot.tsx';
import { RowSign, TagHints } from '#app/components/conversations/row-signs.tsx';
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
  /** The status that the tab of the list says already: only a row of another status says its own. */
  listed?: InboxStatus | undefined;
  /** In the list of the inbox itself, which opens it at once. */
  inInbox?: boolean;
};

/**
 * One conversation in a list: who, when, about what, in which state, whose; in the inbox also its tags and time limit. Its
 * list has `RowSigns` beside it.
 */
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
          {row.contactClaimed ? <AddressNotVerifiedSign /> : null}
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
        <RowSign sign={row.channel} name={channels[row.channel].name} />
        {row.status === listed ? null : <ConversationStatusDot status={row.status} />}
        {dueAt ? <DueHint at={dueAt} /> : null}
        <TagHints tags={tags} />
        {row.assigneeName === null ? (
          <RowSign sign="unassigned" name="Unassigned" />
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

/** Says that a time limit is over, or soon will be; nothing while there is time. */
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
