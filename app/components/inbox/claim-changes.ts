import { linkContact, sendVerificationLink, unlinkContact } from '#app/components/inbox/claim-actions.ts';
import { refetchTopic } from '#app/components/live/page-data.ts';
import { toastOutcome } from '#app/components/ui/use-action.ts';

// Each shows a toast.

/** Links the contact to the owner of the address that they claim. Can be undone from the toast. */
export async function linkTo(id: string, owner: { id: string; name: string }): Promise<void> {
  await toastOutcome(linkContact(id, owner.id), {
    failed: 'Could not link the contact',
    done: () => ({ title: `Linked to ${owner.name}`, undo: () => unlink(id) }),
  });
  await refetchTopic('conversations');
}

export async function unlink(id: string): Promise<void> {
  await toastOutcome(unlinkContact(id), { failed: 'Could not undo the link', done: 'Link undone' });
  await refetchTopic('conversations');
}

export async function sendLink(id: string): Promise<void> {
  await toastOutcome(sendVerificationLink(id), {
    failed: 'Could not send the link',
    done: ({ email }) => `Verification link sent to ${email}`,
  });
}
