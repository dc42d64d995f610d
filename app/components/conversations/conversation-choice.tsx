import { AddressNotVerified } from '#app/components/conversations/address-not-verified.tsx';
import { ChannelIcon } from '#app/components/conversations/channel-icon.tsx';
import { ConversationStatusDot } from '#app/components/conversations/conversation-status-dot.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import type { ConversationRow } from '#server/screens/inbox/views.ts';

type Props = Pick<
  ConversationRow,
  'subject' | 'contactName' | 'channel' | 'status' | 'contactClaimed' | 'lastMessageAt'
> & {
  /** Why it cannot be chosen. */
  problem?: string | null;
};

/** A conversation in a list to choose from. */
export function ConversationChoice({
  subject,
  contactName,
  channel,
  status,
  contactClaimed,
  lastMessageAt,
  problem,
}: Props) {
  return (
    <>
      <span className="grid min-w-0 grow grid-cols-[minmax(0,1fr)] gap-0.5">
        <bdi className="truncate font-medium">{nameOf({ subject, contactName })}</bdi>
        <span className="flex items-center gap-2 pr-2 text-ink-soft text-xs">
          <ChannelIcon channel={channel} />
          <ConversationStatusDot status={status} />
          {subject === null ? null : <span className="min-w-0 truncate">{contactName}</span>}
          {contactClaimed ? (
            <span className="flex shrink-0">
              <AddressNotVerified />
            </span>
          ) : null}
        </span>
        {problem ? <span className="text-ink-soft text-xs">{problem}</span> : null}
      </span>
      <RelativeTime at={lastMessageAt} style="lists" className="shrink-0 text-ink-soft text-xs" />
    </>
  );
}

export function nameOf({ subject, contactName }: Pick<Props, 'subject' | 'contactName'>): string {
  return subject ?? contactName ?? 'Unknown contact';
}
