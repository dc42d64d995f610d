'use client';

import { linkContact, sendVerificationLink, unlinkContact } from '#app/components/inbox/claim-actions.ts';
import { refetchTopic } from '#app/components/live/page-data.ts';
import { Button } from '#app/components/ui/button.tsx';
import { useAction } from '#app/components/ui/use-action.ts';
import type { ConversationView } from '#server/screens/inbox/views.ts';

type Props = { conversation: Pick<ConversationView, 'id' | 'claim' | 'isLinked'> };

/** Buttons for a claimed address: link the contact to its owner, email the owner a link, or undo the link. */
export function ClaimControls({ conversation: { id, claim, isLinked } }: Props) {
  const unlink = useUnlink(id);
  if (isLinked) {
    return (
      <div className="grid justify-items-start gap-1.5 text-ink-soft text-list">
        <p>Linked because the visitor gave this address.</p>
        <Button data-shortcut="unlink-contact" onClick={unlink.start} aria-disabled={unlink.pending}>
          Undo link
        </Button>
      </div>
    );
  }
  return claim ? <ClaimButtons id={id} claim={claim} unlink={unlink.start} /> : null;
}

type ClaimButtonsProps = {
  id: string;
  claim: NonNullable<ConversationView['claim']>;
  unlink: () => void;
};

function ClaimButtons({ id, claim: { email, owner }, unlink }: ClaimButtonsProps) {
  const link = useAction(
    async (ownerId: string) => {
      const outcome = await linkContact(id, ownerId);
      await refetchTopic('conversations');
      return outcome;
    },
    {
      failed: 'Could not link the contact',
      done: () => ({ title: `Linked to ${owner?.name ?? email}`, undo: unlink }),
    },
  );
  const send = useAction(sendVerificationLink, {
    failed: 'Could not send the link',
    done: (sent) => `Verification link sent to ${sent.email}`,
  });
  return (
    <div className="flex min-w-0 flex-wrap gap-2">
      {owner ? (
        <Button
          data-shortcut="link-contact"
          onClick={() => link.start(owner.id)}
          aria-disabled={link.pending}
          className="max-w-full"
        >
          <span className="min-w-0 truncate">Link to {owner.name}</span>
        </Button>
      ) : null}
      <Button data-shortcut="send-link" onClick={() => send.start(id)} aria-disabled={send.pending}>
        {send.pending ? 'Sending' : 'Send a verification link'}
      </Button>
    </div>
  );
}

function useUnlink(id: string) {
  return useAction(
    async () => {
      const outcome = await unlinkContact(id);
      await refetchTopic('conversations');
      return outcome;
    },
    { failed: 'Could not undo the link', done: 'Link undone' },
  );
}
