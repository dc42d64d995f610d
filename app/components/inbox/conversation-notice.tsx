'use client';

import { Ban, Lock, Merge } from 'lucide-react';
import { BlockSenderButton } from '#app/components/inbox/block-sender-button.tsx';
import { RestoreButton } from '#app/components/inbox/restore-button.tsx';
import { undoMerge } from '#app/components/inbox/undo-merge.ts';
import { Button } from '#app/components/ui/button.tsx';
import { usePendingTransition } from '#app/components/ui/use-action.ts';
import { InboxLink } from '#app/components/view/inbox-view.tsx';
import { cx } from '#app/lib/cx.ts';
import { inboxPath } from '#app/lib/inbox-path.ts';
import type { ConversationView } from '#server/screens/inbox/views.ts';

const noticeClass = 'flex gap-2 border-b bg-canvas px-5 py-2 text-ink-soft text-list max-md:px-4';

type Props = { conversation: ConversationView; mayRestore: boolean };

/**
 * Explains that a merged, spam or deleted conversation is read-only, with a button to undo that, and that a closed one is
 * final. Shorter on phones, where the thread needs the space.
 */
export function ConversationNotice({ conversation, mayRestore }: Props) {
  const { id, mergedInto, canUndoMerge, removal } = conversation;
  if (removal) {
    return (
      <div className={cx(noticeClass, 'items-center max-md:py-0')}>
        <Ban aria-hidden size={15} className="shrink-0" />
        <p className="min-w-0 grow">
          {removal.kind === 'spam' ? (
            <>
              <span className="max-md:hidden">
                This conversation is spam. New messages from the contact stay here.
              </span>
              <span className="md:hidden">Spam</span>
            </>
          ) : (
            <>
              This conversation was deleted.
              <span className="max-md:hidden"> It will be removed for good after 30 days.</span>
            </>
          )}
        </p>
        {mayRestore && removal.kind === 'spam' ? <BlockSenderButton id={id} /> : null}
        {mayRestore ? <RestoreButton id={id} kind={removal.kind} /> : null}
      </div>
    );
  }
  if (mergedInto) {
    return (
      <div className={cx(noticeClass, 'items-center max-md:py-1')}>
        <Merge aria-hidden size={15} className="shrink-0" />
        <p className="min-w-0 grow [overflow-wrap:anywhere]">
          This conversation was merged into{' '}
          <InboxLink
            href={inboxPath({ status: 'all', selected: mergedInto.id })}
            className="font-medium text-accent-ink hover:underline"
          >
            <bdi>{mergedInto.title}</bdi>
          </InboxLink>
          .<span className="max-md:hidden"> New messages from the contact go to that conversation.</span>
        </p>
        {mayRestore && canUndoMerge ? <UndoMergeButton id={id} /> : null}
      </div>
    );
  }
  return (
    <p className={cx(noticeClass, 'items-start max-md:hidden')}>
      <Lock aria-hidden size={15} className="mt-px shrink-0" />
      <span>This conversation is closed. When the contact writes again, a new one starts.</span>
    </p>
  );
}

/** Separates a merged conversation from the other one again. */
function UndoMergeButton({ id }: { id: string }) {
  const [pending, start] = usePendingTransition();
  return (
    <Button aria-busy={pending} onClick={() => start(() => undoMerge([id]))}>
      Undo merge
    </Button>
  );
}
