import { textProblem } from '#server/contract/fields.ts';
import { parseName } from '#server/contract/parse-name.ts';
import { inTransaction } from '#server/core/database/prisma.ts';
import { invalid, Refusal } from '#server/core/errors.ts';

/** How long a signature may be, in characters. */
export const SIGNATURE_MAX_LENGTH = 1_000;

/**
 * Changes the signature below the emails that a teammate writes in a workspace; blank: none.
 * @throws Refusal under `signature` when it is too long, or when they are not in the workspace any more
 */
export async function changeSignature(given: {
  userId: string;
  workspaceId: string;
  signature: string;
}): Promise<void> {
  const { userId, workspaceId } = given;
  const text = given.signature.replaceAll(/\r\n?/g, '\n').trim();
  const problem = text && textProblem(text, { label: 'signature', max: SIGNATURE_MAX_LENGTH });
  if (problem) throw invalid({ signature: [problem] });
  const signature = text || null;
  const { count } = await inTransaction((tx) =>
    tx.member.updateMany({ where: { userId, workspaceId }, data: { signature } }),
  );
  if (count === 0) throw new Refusal('forbidden', 'You are no longer in this workspace.');
}

/**
 * Gives a teammate another name, in all their workspaces. What they wrote before keeps the name it was written under.
 * @throws Refusal for a name that is none
 */
export async function changeName({ userId, name }: { userId: string; name: string }): Promise<void> {
  const data = { name: parseName(name, { field: 'name', label: 'name' }) };
  await inTransaction((tx) => tx.user.update({ where: { id: userId }, data, select: { id: true } }));
}
