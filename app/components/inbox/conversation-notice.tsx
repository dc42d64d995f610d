import { Lock, Merge } from 'lucide-react';
import { InboxLink } from '#app/components/inbox/inbox-link.tsx';
import { inboxPath } from '#app/lib/inbox-path.ts';
import type { ConversationView } from '#server/screens/inbox/views.ts';

const noticeClass = 'flex items-start gap-2 border-b bg-canvas px-5 py-2 text-ink-soft text-list max-md:px-4';

/** Why a conversation changes no more, or not as one may expect: it was merged, or it is closed. */
export function ConversationNotice({ conversation }: { conversation: ConversationView }) {
  const { mergedInto, status } = conversation;
  if (mergedInto) {
    return (
      <p className={noticeClass}>
        <Merge aria-hidden size={15} className="mt-px shrink-0" />
        <span className="min-w-0 [overflow-wrap:anywhere]">
          This conversation was merged into{' '}
          <InboxLink
            href={inboxPath({ status: 'all', selected: mergedInto.id })}
            className="font-medium text-accent-ink hover:underline"
          >
            <bdi>{mergedInto.title}</bdi>
          </InboxLink>
          . It can no longer be changed. New messages from the contact go there.
        </span>
      </p>
    );
  }
  if (status !== 'closed') return null;
  return (
    <p className={noticeClass}>
      <Lock aria-hidden size={15} className="mt-px shrink-0" />
      <span>This conversation is closed. When the contact writes again, a new one starts.</span>
    </p>
  );
}
