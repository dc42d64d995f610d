'use client';

import { Route } from 'lucide-react';
import { useState } from 'react';
import { MessageButton } from '#app/components/thread/message-button.tsx';
import { lazyParts } from '#app/components/ui/lazy-part.tsx';

const rareParts = lazyParts(() => import('#app/components/thread/rare-parts.ts'));
const ExplainDialog = rareParts('ExplainDialog');

type Props = { messageId: string; author: string };

/** Opens what happened with a message and because of it. */
export function ExplainButton({ messageId, author }: Props) {
  /** Null until it is opened for the first time. */
  const [isOpen, setIsOpen] = useState<boolean | null>(null);
  return (
    <>
      <MessageButton
        icon={Route}
        aria-label={`Why? What happened with ${author}’s message`}
        data-tip="Why?"
        data-shortcut="explain"
        onClick={() => setIsOpen(true)}
      />
      {isOpen === null ? null : (
        <ExplainDialog messageId={messageId} control={{ open: isOpen, onOpenChange: setIsOpen }} />
      )}
    </>
  );
}
