import type { Db } from '#server/core/database/prisma.ts';
import { leadsBack, mailboxAddresses } from '#server/inbox/channels/email/leads-back.ts';

/** Returns those of the addresses that lead back to a workspace (docs/rulings.md 3.30). One statement. */
export async function findOwnAddresses(
  db: Db,
  { workspaceId, addresses }: { workspaceId: string; addresses: string[] },
): Promise<Set<string>> {
  if (addresses.length === 0) return new Set();
  const mailboxes = await db.mailbox.findMany({
    where: { workspaceId, address: { in: [...new Set(addresses.flatMap(mailboxAddresses))] } },
    select: { address: true },
  });
  return new Set(addresses.filter((address) => leadsBack(address, mailboxes)));
}
