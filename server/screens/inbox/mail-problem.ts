import type { Db } from '#server/core/database/db.ts';
import type { Plan } from '#server/generated/prisma/enums.ts';
import { findMailbox } from '#server/inbox/channels/email/mailboxes.ts';
import { lowestPlanWith, PLANS } from '#server/teammates/plans.ts';

/**
 * Why an email that a teammate starts a conversation with would be kept and not sent, as a sentence; null when it
 * leaves (spec.md §1, who may connect, 4).
 */
export async function mailProblem(db: Db, { id, plan }: { id: string; plan: Plan }): Promise<string | null> {
  if (!PLANS[plan].emailSending) {
    return `It will be saved, but not sent: sending email needs the ${lowestPlanWith('emailSending')} plan or higher.`;
  }
  const mailbox = await findMailbox(db, { workspaceId: id, mailboxId: null });
  if (!mailbox)
    return 'It will be saved, but not sent: this workspace has no address to send email from yet.';
  if (!mailbox.canSend) {
    return 'It will be saved, but not sent: the domain of this workspace’s email address is not verified yet.';
  }
  return null;
}
