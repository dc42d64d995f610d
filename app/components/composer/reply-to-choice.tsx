'use client';

import { useState } from 'react';
import { chooseReplyTo } from '#app/components/composer/rare-actions.ts';
import { refetchTopic } from '#app/components/live/page-data.ts';
import { toastOutcome } from '#app/components/ui/use-action.ts';
import type { ComposerView } from '#server/screens/inbox/composer-views.ts';

/** Shows the Reply-To of the contact's newest email, and switches between it and the contact's own address. */
export function ReplyToChoice({ view }: { view: ComposerView }) {
  const { asked, isUsed } = view.replyTo;
  const [isChanging, setIsChanging] = useState(false);
  const change = async () => {
    setIsChanging(true);
    await toastOutcome(chooseReplyTo(view.conversationId, !isUsed), {
      failed: 'Could not change the recipient',
    });
    await refetchTopic('conversations');
    setIsChanging(false);
  };
  const addresses = <bdi className="text-ink">{asked.join(', ')}</bdi>;
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-x-2 border-b py-1 text-ink-soft text-list">
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {isUsed ? <>To {addresses}, as their mail asked</> : <>Their mail asks for replies to {addresses}</>}
      </span>
      <button
        type="button"
        aria-busy={isChanging}
        onClick={() => void change()}
        className="rounded-md px-1 font-medium text-accent-ink hover:bg-hover max-md:min-h-11"
      >
        {isUsed ? 'Use the contact’s address' : 'Use this address'}
      </button>
    </p>
  );
}
