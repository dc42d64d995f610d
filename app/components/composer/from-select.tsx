'use client';

import { useId, useState } from 'react';
import { setMailbox } from '#app/components/composer/rare-actions.ts';
import { refetchTopic } from '#app/components/live/page-data.ts';
import { toastOutcome } from '#app/components/ui/use-action.ts';
import type { ComposerView } from '#server/screens/inbox/composer-views.ts';

/** Selects the mailbox that sends the replies. Loaded only in workspaces with several mailboxes. */
export function FromSelect({ view }: { view: ComposerView }) {
  const { conversationId, mailboxes, mailboxId } = view;
  const id = useId();
  const [chosen, setChosen] = useState<string | null>(null);
  const choose = async (next: string) => {
    setChosen(next);
    await toastOutcome(setMailbox(conversationId, next), { failed: 'Could not change the mailbox' });
    await refetchTopic('conversations');
    setChosen(null);
  };
  return (
    <div className="flex items-center gap-2 border-b text-list">
      <label htmlFor={id} className="min-w-8 shrink-0 text-ink-soft">
        From
      </label>
      <select
        id={id}
        value={chosen ?? mailboxId ?? ''}
        onChange={({ target }) => void choose(target.value)}
        className="h-8 min-w-0 grow truncate bg-transparent outline-none focus-visible:shadow-[inset_0_-2px_0_0_var(--accent-ink)] max-md:h-11 max-md:text-base"
      >
        {mailboxes.map((mailbox) => (
          <option key={mailbox.id} value={mailbox.id}>
            {mailbox.address}
          </option>
        ))}
      </select>
    </div>
  );
}
