import { db } from '#server/core/database/prisma.ts';
import { retryWhileDatabaseAway } from '#server/core/database/retry.ts';
import { sql } from '#server/core/database/sql.ts';
import { settings } from '#server/core/env.ts';
import { publish } from '#server/core/live/publish.ts';
import { log } from '#server/core/log.ts';
import { withMailLocks } from '#server/core/mail/mail-locks.ts';
import { formatTimestamp, sendServiceMail } from '#server/core/mail/service-mail.ts';
import { digest, newSecret } from '#server/core/secrets.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { Role } from '#server/generated/prisma/enums.ts';

type Issued = {
  workspaceId: string;
  email: string;
  role: Role;
  expiresAt: Date;
  workspaceName: string;
  inviterName: string | null;
  inviterEmail: string | null;
};

/** Matches invitations whose email is still to be sent. */
const UNSENT = Prisma.sql`mailed_at is null and accepted_at is null and withdrawn_at is null and expires_at > now()`;

/**
 * Emails an invitation once, even when two workers call this at the same time. Creates the token, which only
 * the email contains, so a retry sends a new token. Does nothing for an invitation that was emailed, accepted
 * or withdrawn, or has expired.
 * @throws when the email is still to be sent
 */
export async function mailInvitation(id: string): Promise<void> {
  await withMailLocks([id], async (mine) => {
    if (mine.length > 0) await issueAndSend(id);
  });
  const due = await sql().$queryRaw<unknown[]>`select from invitations where id = ${id}::uuid and ${UNSENT}`;
  if (due.length > 0) throw new Error('Another worker is sending this invitation.');
}

async function issueAndSend(id: string): Promise<void> {
  const token = newSecret();
  const tokenHash = digest(token);
  const [issued] = await sql().$queryRaw<Issued[]>`
    with issued as (
      update invitations set token_hash = ${tokenHash} where id = ${id}::uuid and ${UNSENT} returning *
    )
    select i.workspace_id as "workspaceId", i.email, i.role::text as role, i.expires_at as "expiresAt", w.name as "workspaceName",
      u.name as "inviterName", u.email as "inviterEmail"
    from issued i
    join workspaces w on w.id = i.workspace_id
    left join users u on u.id = i.invited_by_id and u.deleted_at is null`;
  if (!issued) return;
  const { workspaceId, email, role, expiresAt, workspaceName, inviterName: name, inviterEmail } = issued;
  await sendServiceMail({
    workspaceId,
    to: { name: '', address: email },
    ...invitationMail({
      workspaceName,
      role,
      inviter: name !== null && inviterEmail !== null ? { name, email: inviterEmail } : null,
      expiresAt,
      url: invitationUrl(token),
      serviceName: settings().SERVICE_NAME,
    }),
  });
  log().info({ invitationId: id }, 'invitation.mailed');
  // An invitation that was resent in the meantime has another token, whose email is still to be sent.
  await retryWhileDatabaseAway(() =>
    db().invitation.updateMany({ where: { id, tokenHash }, data: { mailedAt: new Date() } }),
  );
  publish(workspaceId, 'teammates');
}

/** Values of the email. `inviter` is null when the inviter's account is deleted. */
type InvitationFacts = {
  workspaceName: string;
  role: Role;
  inviter: { name: string; email: string } | null;
  expiresAt: Date;
  url: string;
  serviceName: string;
};

function invitationMail(facts: InvitationFacts): { subject: string; text: string } {
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

export function invitationUrl(token: string): string {
  return `${settings().BASE_URL}/invitation?token=${encodeURIComponent(token)}`;
}

/** Role names with their article, for sentences. */
export const ROLE_WORDS: Record<Role, string> = {
  owner: 'an owner',
  admin: 'an admin',
  agent: 'an agent',
  viewer: 'a viewer',
};
