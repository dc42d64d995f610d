'use client';

import { usePathname, useRouter } from 'next/navigation';
import { markNotSpam, undeleteConversation } from '#app/components/inbox/removal-actions.ts';
import { refetchTopic } from '#app/components/live/page-data.ts';
import { Button } from '#app/components/ui/button.tsx';
import { toastOutcome, usePendingTransition } from '#app/components/ui/use-action.ts';

type Props = { id: string; kind: 'spam' | 'deleted' };

const SPAM = { label: 'Not spam', done: 'Moved back to the inbox', act: markNotSpam };
const DELETED = { label: 'Restore', done: 'Conversation restored', act: undeleteConversation };

/** Returns a spam or deleted conversation to the inbox. */
export function RestoreButton({ id, kind }: Props) {
  const { label, done, act } = kind === 'spam' ? SPAM : DELETED;
  const router = useRouter();
  const pathname = usePathname();
  const [pending, start] = usePendingTransition();
  const restore = () =>
    start(async () => {
      const failed = 'Could not restore the conversation';
      if (!(await toastOutcome(act(id), { failed, done })).done) return;
      // The lists of removed conversations are rendered by the server.
      if (pathname !== '/inbox') router.refresh();
      await refetchTopic('conversations');
    });
  return (
    <Button data-shortcut="restore" aria-busy={pending} onClick={restore}>
      {label}
    </Button>
  );
}
