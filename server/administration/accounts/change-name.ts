import { parseName } from '#server/contract/parse-name.ts';
import { inTransaction } from '#server/core/database/db.ts';

/**
 * Gives a teammate another name, in all their workspaces. What they wrote before keeps the name it was written under.
 * @throws Refusal for a name that is none
 */
export async function changeName({ userId, name }: { userId: string; name: string }): Promise<void> {
  const data = { name: parseName(name, { field: 'name', label: 'name' }) };
  await inTransaction((tx) => tx.user.update({ where: { id: userId }, data, select: { id: true } }));
}
