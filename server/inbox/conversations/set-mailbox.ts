import { sqlTransaction } from '#server/core/database/sql-transaction.ts';
import { invalid, Refusal } from '#server/core/errors.ts';
import { findMailbox } from '#server/inbox/channels/email/mailboxes.ts';
import { changeOf } from '#server/inbox/conversations/changes.ts';
import { lockForChange } from '#server/inbox/conversations/lock-conversation.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';
import type { PersonalActor } from '#server/teammates/actor.ts';
import { findAssignable } from '#server/teammates/find-teammates.ts';

const EMAIL_ONLY = 'Only email conversations have a mailbox.';
export const NO_MAILBOX = 'This mailbox no longer exists. Choose another one.';

/**
 * Sets the mailbox from which the replies of an email conversation are sent. The contact's next conversation suggests the
 * same mailbox. Emits no event and adds no timeline entry.
 * @throws Refusal when the conversation or mailbox does not exist, the conversation was merged or is not an email conversation, or the
 *   teammate may no longer reply
 */
export async function setMailbox(input: {
  workspaceId: string;
  id: string;
  mailboxId: string;
  actor: PersonalActor;
}): Promise<void> {
  const { workspaceId, id, mailboxId, actor } = input;
  await sqlTransaction(async (tx) => {
    if (!(await findAssignable(tx, { workspaceId, id: actor.teammate.id }))) {
      throw new Refusal('forbidden', `${actor.teammate.name} can no longer reply in this workspace.`);
    }
    const conversation = await lockForChange(tx, { workspaceId, id, actor });
    if (conversation.record.channel !== 'email') throw invalid({ mailbox: [EMAIL_ONLY] });
    if (!(await findMailbox(tx, { workspaceId, mailboxId }))) throw invalid({ mailbox: [NO_MAILBOX] });
    const change = conversation.mailboxId === mailboxId ? changeOf() : changeOf({ columns: { mailboxId } });
    await persistChange(tx, conversation, { actor, change, now: new Date() });
  });
}
