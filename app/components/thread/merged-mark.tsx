import { InboxLink } from '#app/components/view/inbox-view.tsx';
import { inboxPath } from '#app/lib/inbox-path.ts';
import type { MergedFrom } from '#server/screens/inbox/thread-views.ts';
import { CHANNEL_NAMES } from '#server/screens/settings/channel-views.ts';

type Props = { mergedFrom: MergedFrom; contactId: string | undefined };

/** Says from which merged conversation a message or note comes, for example "from Nora’s conversation, Instagram". */
export function MergedMark({ mergedFrom, contactId }: Props) {
  const { id, title, contactName, channel } = mergedFrom;
  const isSameContact = mergedFrom.contactId !== null && mergedFrom.contactId === contactId;
  return (
    <span className="min-w-0 text-ink-soft text-xs [overflow-wrap:anywhere]">
      from{' '}
      <InboxLink
        href={inboxPath({ status: 'all', selected: id })}
        className="text-accent-ink underline underline-offset-2"
      >
        {isSameContact || contactName === null ? (
          <>
            “<bdi>{title}</bdi>”
          </>
        ) : (
          <>
            <bdi>{contactName}</bdi>’s conversation
          </>
        )}
      </InboxLink>
      , {CHANNEL_NAMES[channel].name}
    </span>
  );
}
