import { ROLE_WORDS } from '#server/administration/invitations/role-words.ts';
import { formatTimestamp } from '#server/core/mail/format-timestamp.ts';
import type { Role } from '#server/generated/prisma/enums.ts';

/** What the mail says. `inviter` null: their account is deleted. */
export type InvitationFacts = {
  workspaceName: string;
  role: Role;
  inviter: { name: string; email: string } | null;
  expiresAt: Date;
  /** The link that accepts. */
  url: string;
  serviceName: string;
};

/** Writes the mail that invites someone to a workspace. */
export function invitationMail(facts: InvitationFacts): { subject: string; text: string } {
  const { workspaceName, role, inviter, expiresAt, url, serviceName } = facts;
  const who = inviter ? `${inviter.name} (${inviter.email}) invites you` : 'You have been invited';
  const paragraphs = [
    'Hello,',
    `${who} to the workspace ${workspaceName} in ${serviceName}, as ${ROLE_WORDS[role]}.`,
    `Accept the invitation here:\n${url}`,
    `The link can be used once, until ${formatTimestamp(expiresAt)}.`,
    'If you did not expect this, ignore it: no one can join in your name without the link.',
    serviceName,
  ];
  const subject = inviter
    ? `${inviter.name} invites you to ${workspaceName}`
    : `You have been invited to ${workspaceName}`;
  return { subject, text: `${paragraphs.join('\n\n')}\n` };
}
