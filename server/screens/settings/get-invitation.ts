import { otherAddress } from '#server/administration/invitations/accept-as-teammate.ts';
import { findByToken, type OpenInvitation } from '#server/administration/invitations/find-by-token.ts';
import { ROLE_WORDS } from '#server/administration/invitations/role-words.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import type { Db } from '#server/core/database/db.ts';
import { refusalIn } from '#server/core/errors.ts';
import type { InvitationView } from '#server/screens/settings/invitations-views.ts';

/** What the page of an invitation's link shows to the person who opens it, signed in or not. */
export async function getInvitation(
  db: Db,
  { token, visitor }: { token: string; visitor: Teammate | null },
): Promise<InvitationView> {
  try {
    const invitation = await findByToken(db, token);
    const { workspaceName, role, email, name, inviterName, expiresAt } = invitation;
    const next = await nextOf(db, invitation, visitor);
    return {
      kind: 'open',
      workspaceName,
      role,
      asRole: ROLE_WORDS[role],
      email,
      name,
      invitedBy: inviterName,
      expiresAt,
      next,
      problem: next === 'sign_out' && visitor ? otherAddress(email, visitor.email) : null,
    };
  } catch (error) {
    const refusal = refusalIn(error);
    if (!refusal) throw error;
    return { kind: 'refused', message: refusal.message };
  }
}

async function nextOf(db: Db, { email }: OpenInvitation, visitor: Teammate | null) {
  if (visitor) return visitor.email === email ? 'accept' : 'sign_out';
  return (await db.user.count({ where: { email } })) > 0 ? 'sign_in' : 'join';
}
