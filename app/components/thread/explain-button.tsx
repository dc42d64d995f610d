'use client';

import { Route } from 'lucide-react';
import { useState } from 'react';
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
      <button
        type="button"
        aria-label={`Why? What happened with ${author}’s message`}
        data-tip="Why?"
        data-shortcut="explain"
        onClick={() => setIsOpen(true)}
        className="-my-1 inline-flex size-6 items-center justify-center self-center rounded-md text-ink-faint hover:bg-hover hover:text-ink max-md:-my-3 max-md:size-11"
      >
        <Route aria-hidden size={14} strokeWidth={1.75} />
      </button>
      {isOpen === null ? null : (
        <ExplainDialog messageId={messageId} control={{ open: isOpen, onOpenChange: setIsOpen }} />
      )}
    </>
  );
}
