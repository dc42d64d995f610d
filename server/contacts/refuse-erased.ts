import type { Tx } from '#server/core/database/prisma.ts';
import { invalid } from '#server/core/errors.ts';

/**
 * Refuses to merge or link contacts while the erasure of one of them is scheduled. The caller has locked the contacts, as a
 * request to erase them does.
 * @throws Refusal when one of them will be erased
 */
export async function refuseErased(
  tx: Tx,
  { workspaceId, ids, to }: { workspaceId: string; ids: string[]; to: 'merge' | 'link' },
): Promise<void> {
  const where = { workspaceId, contactId: { in: ids } };
  if ((await tx.contactErasure.count({ where })) === 0) return;
  throw invalid({ contact: [`One of the contacts will be erased. Stop that on its page to ${to} them.`] });
}
