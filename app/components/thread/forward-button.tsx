'use client';

import { Forward } from 'lucide-react';
import { useState } from 'react';
import { MessageButton } from '#app/components/thread/message-button.tsx';
import { lazyParts } from '#app/components/ui/lazy-part.tsx';

const rareParts = lazyParts(() => import('#app/components/thread/rare-parts.ts'));
const ForwardDialog = rareParts('ForwardDialog');

type Props = { conversationId: string; messageId: string; author: string };

/** Opens the form that forwards a message. */
export function ForwardButton({ conversationId, messageId, author }: Props) {
  /** Null until the form is opened for the first time. */
  const [isOpen, setIsOpen] = useState<boolean | null>(null);
  return (
    <>
      <MessageButton
        icon={Forward}
        aria-label={`Forward ${author}’s message`}
        data-tip="Forward"
        data-shortcut="forward"
        onClick={() => setIsOpen(true)}
      />
      {isOpen === null ? null : (
        <ForwardDialog
          conversationId={conversationId}
          messageId={messageId}
          control={{ open: isOpen, onOpenChange: setIsOpen }}
        />
      )}
    </>
  );
}
