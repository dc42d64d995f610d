'use client';

import Link from 'next/link';
import { memo } from 'react';
import { AddressNotVerifiedIcon } from '#app/components/conversations/address-not-verified.tsx';
import { channels } from '#app/components/conversations/channel-icon.tsx';
import { ConversationStatusDot } from '#app/components/conversations/conversation-status-dot.tsx';
import { RowIcon, TagHints } from '#app/components/conversations/row-icons.tsx';
import { useHasDraft } from '#app/components/drafts/drafts.ts';
import { PresenceOf } from '#app/components/live/presence-of.tsx';
import { Avatar } from '#app/components/ui/avatar.tsx';
import { lazyPart } from '#app/components/ui/lazy-part.tsx';
import { useNow } from '#app/components/ui/now-provider.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { InboxLink, pathInView } from '#app/components/view/inbox-view.tsx';
import { cx } from '#app/lib/cx.ts';
import { formatTarget } from '#app/lib/format-clock.ts';
import { exactTime, formatSince } from '#app/lib/format-time.ts';
import type { InboxStatus } from '#app/lib/inbox-path.ts';
import type { ConversationRow, InboxRow } from '#server/screens/inbox/views.ts';

type Props = {
  row: ConversationRow | InboxRow;
  href: string;
  selected?: boolean;
  unread?: boolean;
  /** Status of the current tab. Rows with this status do not repeat it. */
  listed?: InboxStatus | undefined;
  /** Search text whose words are highlighted. */
  search?: string | undefined;
  /** The link is in the inbox list and opens without a page request. */
  inInbox?: boolean;
};

/** Row of a conversation list. The inbox also shows tags and SLA targets. Needs `RowIcons` once on the page. */
export const ConversationLink = memo(function ConversationLink({
  row,
  href,
  selected = false,
  unread = 'unread' in row && row.unread,
  listed,
  search,
  inInbox = false,
}: Props) {
  const link = {
    href,
    className: 'row',
    'data-conversation': row.id,
    'aria-current': selected ? ('true' as const) : undefined,
    'data-unread': unread || undefined,
    children: (
      <RowContent row={row} unread={unread} listed={listed} search={search} mayShowDraft={!selected} />
    ),
  };
  // While another view loads, a row of the previous one opens in it.
  return inInbox ? (
    <InboxLink {...link} pathNow={() => pathInView(row.id)} />
  ) : (
    <Link {...link} prefetch={false} scroll={false} />
  );
});

type ContentProps = Pick<Props, 'row' | 'unread' | 'listed' | 'search'> & {
  /** False in the row of the open conversation, whose composer shows the draft. */
  mayShowDraft: boolean;
};

function RowContent({ row, unread, listed, search, mayShowDraft }: ContentProps) {
  const tags = 'tags' in row ? row.tags : [];
  const match = 'match' in row ? row.match : null;
  // A found word needs the room.
  const hasLocalDraft = useHasDraft(row.id);
  const hasDraft = (row.hasDraft || hasLocalDraft) && mayShowDraft && row.reply !== 'waiting' && !match;
  const dueAt = 'dueAt' in row ? row.dueAt : null;
  const stemmed = 'stemmed' in row ? row.stemmed : undefined;
  return (
    <>
      <span className="row-head">
        <span className="row-who">
          {unread ? <span className="sr-only">Unread: </span> : null}
          <b>
            <Matches text={row.contactName ?? 'Unknown contact'} search={search} />
          </b>
          {row.contactClaimed ? <AddressNotVerifiedIcon /> : null}
        </span>
        <RelativeTime at={row.lastMessageAt} style="lists" />
      </span>
      <span dir="auto" className="row-text">
        {hasDraft ? (
          <>
            <span className="font-medium text-note-ink">Draft</span> ·{' '}
          </>
        ) : null}
        {match ? (
          <>
            <span className="row-where">{FOUND_IN[match.in]}:</span>{' '}
            <Matches text={match.snippet} search={search} stemmed={stemmed} />
          </>
        ) : (
          <>
            {row.subject ? (
              <>
                <bdi>
                  <Matches text={row.subject} search={search} stemmed={stemmed} />
                </bdi>{' '}
                ·{' '}
              </>
            ) : null}
            {row.preview ?? 'No messages yet'}
          </>
        )}
      </span>
      <span className="row-state">
        <RowIcon icon={row.channel} name={channels[row.channel].name} />
        {row.status === listed ? null : (
          <span className="row-status">
            <ConversationStatusDot status={row.status} />
          </span>
        )}
        {row.turn ? <Turn of={row.turn} /> : null}
        <PresenceOf conversationId={row.id} compact />
        {row.priority === 'high' || row.priority === 'urgent' ? <PriorityHint of={row.priority} /> : null}
        {row.reply ? <ReplyState state={row.reply} /> : null}
        {row.sendLaterAt ? <SendsAt at={row.sendLaterAt} /> : null}
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

const SearchMatches = lazyPart(
  () => import('#app/components/conversations/search-matches.tsx'),
  ({ text }) => text,
);

/** A text with the words of the search highlighted. */
function Matches({
  text,
  search,
  stemmed,
}: {
  text: string;
  search: string | undefined;
  stemmed?: readonly string[] | undefined;
}) {
  if (search === undefined) return text;
  return <SearchMatches text={text} search={search} stemmed={stemmed} />;
}

const FOUND_IN = { message: 'Message', note: 'Note', merged: 'Merged' } as const;

const turns = {
  team: { icon: 'your-turn', name: 'Waiting for a reply from your team' },
  contact: { icon: 'their-turn', name: 'Waiting for the contact' },
} as const;

/** Shows who is expected to write next. */
function Turn({ of }: { of: 'team' | 'contact' }) {
  return <RowIcon {...turns[of]} />;
}

/** Shows that the last reply failed or is not sent yet. */
function ReplyState({ state }: { state: 'failed' | 'waiting' }) {
  return state === 'failed' ? (
    <span className="shrink-0 font-medium text-danger-ink">Not sent</span>
  ) : (
    <span className="shrink-0">Sending</span>
  );
}

/** Shows when a reply is sent later. */
function SendsAt({ at }: { at: Date }) {
  const { now, timeZone } = useNow();
  return (
    <span className="tabular min-w-0 truncate">
      Sends <time title={exactTime(at, timeZone)}>{formatSince(at, now, timeZone)}</time>
    </span>
  );
}

/** Shows a priority above normal. */
function PriorityHint({ of }: { of: 'high' | 'urgent' }) {
  return (
    <span className={cx('shrink-0 font-medium', of === 'urgent' ? 'text-danger-ink' : 'text-note-ink')}>
      <span className="sr-only">Priority: </span>
      {of === 'urgent' ? 'Urgent' : 'High'}
    </span>
  );
}

/** Shows that an SLA target is overdue or due soon. */
function DueHint({ at }: { at: Date }) {
  const { now } = useNow();
  const { state, words } = formatTarget(at, now);
  if (state === 'running') return null;
  return (
    <span
      className={cx(
        'min-w-0 truncate font-medium first-letter:uppercase',
        state === 'overdue' ? 'text-danger-ink' : 'text-note-ink',
      )}
    >
      {words}
    </span>
  );
}
