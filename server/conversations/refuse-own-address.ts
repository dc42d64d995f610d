import type { Db } from '#server/db.ts';
import { invalid } from '#server/errors.ts';

/**
 * Refuses an address that nobody outside the workspace would read: one of its own mailboxes or a teammate's
 * (spec.md §4.2, POST /conversations).
 * @param email lowercase
 */
export async function refuseOwnAddress(
  db: Db,
  { workspaceId, email }: { workspaceId: string; email: string },
): Promise<void> {
  const [mailbox, member] = await Promise.all([
    db.mailbox.findFirst({ where: { workspaceId, address: email }, select: { id: true } }),
    db.member.findFirst({ where: { workspaceId, user: { email } }, select: { userId: true } }),
  ]);
  if (mailbox) {
    throw invalid({
      to_email: [
        'The recipient’s e-mail address (to_email) is one of this workspace’s own. Give the address of a contact.',
      ],
    });
  }
  if (member) {
    throw invalid({
      to_email: [
        'The recipient’s e-mail address (to_email) belongs to a teammate of this workspace. Give the address of a contact.',
      ],
    });
  }
}
