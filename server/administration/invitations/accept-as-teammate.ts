import { takeInvitation } from '#server/administration/invitations/take-invitation.ts';
import { inTransaction } from '#server/core/database/db.ts';
import { Refusal } from '#server/core/errors.ts';
import { publishSession } from '#server/core/live/publish.ts';
import type { SignedIn } from '#server/teammates/signed-in.ts';

/**
 * Accepts an invitation as someone who has an account and is signed in; the workspace is then open in their session.
 * Only the invited address accepts: a link that was passed on lets no one else in.
 * @throws Refusal when the invitation cannot be accepted, is for another address, or they are in the workspace already
 */
export async function acceptAsTeammate(
  { sessionId, user }: Pick<SignedIn, 'sessionId' | 'user'>,
  token: string,
): Promise<{ workspaceId: string }> {
  const { workspaceId } = await inTransaction(async (tx) => {
    const { invitation } = await takeInvitation(tx, token, async ({ email }) => {
      if (email !== user.email) throw new Refusal('forbidden', otherAddress(email, user.email));
      return user;
    });
    const open = { workspaceId: invitation.workspaceId };
    await tx.session.updateMany({ where: { id: sessionId }, data: open });
    await tx.user.updateMany({
      where: { id: user.id },
      data: { lastWorkspaceId: invitation.workspaceId },
    });
    return invitation;
  });
  publishSession(sessionId);
  return { workspaceId };
}

/** Why someone who is signed in with another address cannot accept. */
export function otherAddress(invited: string, own: string): string {
  return `This invitation is for ${invited}, and you are signed in as ${own}. Sign out, and open the link again.`;
}
