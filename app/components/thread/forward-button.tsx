'use client';

import { Forward } from 'lucide-react';
import { useState } from 'react';
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
      <button
        type="button"
        aria-label={`Forward ${author}’s message`}
        data-tip="Forward"
        data-shortcut="forward"
        onClick={() => setIsOpen(true)}
        className="-my-1 inline-flex size-6 items-center justify-center self-center rounded-md text-ink-faint hover:bg-hover hover:text-ink max-md:-my-3 max-md:size-11"
      >
        <Forward aria-hidden size={14} strokeWidth={1.75} />
      </button>
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
