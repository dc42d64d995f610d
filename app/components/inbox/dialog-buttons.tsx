'use client';

import { Ban, Merge, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '#app/components/ui/button.tsx';
import { lazyParts } from '#app/components/ui/lazy-part.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { usePendingTransition } from '#app/components/ui/use-action.ts';
import { notReached } from '#app/lib/outcome.ts';
import type { AfterSolving } from '#server/screens/inbox/views.ts';

const loadParts = () => import('#app/components/inbox/conversation-parts.ts');
const conversationParts = lazyParts(loadParts);
const ConversationDialog = conversationParts('ConversationDialog');

type Props = {
  id: string;
  title: string;
  /** The contact's address is unverified. */
  isClaimed: boolean;
  mayDelete: boolean;
  afterSolving: AfterSolving;
};

/** Merges the conversation or marks it as spam; owners and admins can also delete it. */
export function DialogButtons({ id, title, isClaimed, mayDelete, afterSolving }: Props) {
  const [shown, show] = useState<'merge' | 'deletion' | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [isMarking, start] = usePendingTransition();
  const markAsSpam = () =>
    start(() =>
      loadParts().then(
        (parts) => parts.markAsSpam({ id, afterSolving }),
        () => toast.error('The conversation was not changed', { description: notReached().problem }),
      ),
    );
  const buttonOf = (dialog: 'merge' | 'deletion') => ({
    'aria-haspopup': 'dialog' as const,
    onClick: () => {
      show(dialog);
      setIsOpen(true);
    },
  });
  return (
    <>
      <IconButton
        icon={Merge}
        label="Merge into another conversation"
        word="Merge"
        data-shortcut="merge"
        {...buttonOf('merge')}
      />
      <IconButton
        icon={Ban}
        label="Mark as spam"
        word="Spam"
        data-shortcut="spam"
        aria-disabled={isMarking}
        onClick={markAsSpam}
      />
      {mayDelete ? (
        <IconButton
          icon={Trash2}
          label="Delete conversation"
          word="Delete"
          data-shortcut="delete"
          {...buttonOf('deletion')}
        />
      ) : null}
      {shown ? (
        <ConversationDialog
          shown={shown}
          id={id}
          title={title}
          isClaimed={isClaimed}
          afterSolving={afterSolving}
          control={{ open: isOpen, onOpenChange: setIsOpen }}
        />
      ) : null}
    </>
  );
}
