import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { invalid, Refusal } from '#server/core/errors.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { log } from '#server/core/log.ts';
import { formatTimestamp, sendServiceMail } from '#server/core/mail/service-mail.ts';
import { digest, newSecret } from '#server/core/secrets.ts';
import { findClaim } from '#server/inbox/claimed-addresses/find-claim.ts';
import { changeOf } from '#server/inbox/conversations/changes.ts';
import { withLockedConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';
import type { PersonalActor } from '#server/teammates/actor.ts';

const LIFETIME_DAYS = 3;

/**
 * Emails a link to the address that a conversation's contact claims. It works once. The email contains nothing that the
 * contact wrote, because the recipient may be someone else.
 * @throws Refusal when the conversation is read-only, there is no claim, the limit of the address is reached, or the email cannot be sent
 */
export async function sendVerificationLink(which: {
  workspaceId: string;
  conversationId: string;
  actor: PersonalActor;
}): Promise<{ email: string }> {
  const { workspaceId, conversationId: id, actor } = which;
  // Before anything is sent: a read-only conversation is refused.
  await withLockedConversation({ workspaceId, id }, async () => undefined);
  const claim = await findClaim(db(), which);
  if (!claim) throw invalid({ contact: ['There is no unverified address in this conversation.'] });
  const { contactId, email } = claim;
  if (!(await consumeLimit('verification_mail', email)).allowed) throw new Refusal('forbidden', TOO_MANY);
  const token = newSecret();
  const tokenHash = digest(token);
  const expiresAt = new Date(Date.now() + LIFETIME_DAYS * 86_400_000);
  const { workspace } = await db().addressVerification.create({
    data: { tokenHash, workspaceId, contactId, email, expiresAt },
    select: { workspace: { select: { name: true } } },
  });
  try {
    await sendServiceMail({
      workspaceId,
      to: { name: '', address: email },
      ...verificationMail({ workspaceName: workspace.name, url: verificationUrl(token), expiresAt }),
    });
  } catch (error) {
    log().warn({ err: error, workspaceId, conversationId: id }, 'verification.not_mailed');
    await db().addressVerification.deleteMany({ where: { tokenHash } });
    throw new Refusal('forbidden', 'The email could not be sent. Try again in a few minutes.');
  }
  log().info({ workspaceId, conversationId: id }, 'verification.mailed');
  await withLockedConversation({ workspaceId, id }, (tx, conversation) => {
    const change = changeOf({ entries: [{ kind: 'verification_sent', data: { email } }] });
    return persistChange(tx, conversation, { actor, change, now: new Date() });
  });
  return { email };
}

const TOO_MANY = 'This address was sent several links in the last hour. Wait an hour and try again.';

function verificationUrl(token: string): string {
  return `${settings().BASE_URL}/verify?token=${token}`;
}

function verificationMail(input: { workspaceName: string; url: string; expiresAt: Date }): {
  subject: string;
  text: string;
} {
  const { workspaceName, url, expiresAt } = input;
  const paragraphs = [
    'Hello,',
    `Someone wrote to ${workspaceName} and gave this address as theirs.`,
    `If that was you, confirm it here:\n${url}`,
    `The link can be used once, until ${formatTimestamp(expiresAt)}.`,
    'If it was not you, ignore this email: your address stays unconfirmed.',
    settings().SERVICE_NAME,
  ];
  return { subject: `Confirm your address for ${workspaceName}`, text: `${paragraphs.join('\n\n')}\n` };
}
