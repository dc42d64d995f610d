import { textProblem } from '#server/contract/fields.ts';
import { parseName } from '#server/contract/parse-name.ts';
import { inTransaction } from '#server/core/database/prisma.ts';
import { invalid, Refusal } from '#server/core/errors.ts';
import type { AfterSolving } from '#server/generated/prisma/enums.ts';
import type { SignedIn } from '#server/teammates/signed-in.ts';

export const SIGNATURE_MAX_LENGTH = 1_000;
const NOT_OPEN = 'You cannot open this workspace. You left it, or have to sign in to it first.';

/**
 * Changes the signature of a teammate's emails in one workspace; a blank signature removes it.
 * @throws Refusal under `signature` when the text is too long, or when the session does not open the workspace
 */
export async function changeSignature(
  { user: { id: userId }, workspaces }: Pick<SignedIn, 'user' | 'workspaces'>,
  change: { workspaceId: string; signature: string },
): Promise<void> {
  const { workspaceId } = change;
  if (!workspaces.some(({ id }) => id === workspaceId)) throw new Refusal('forbidden', NOT_OPEN);
  const text = change.signature.replaceAll(/\r\n?/g, '\n').trim();
  const problem = text && textProblem(text, { label: 'signature', max: SIGNATURE_MAX_LENGTH });
  if (problem) throw invalid({ signature: [problem] });
  const signature = text || null;
  const { count } = await inTransaction((tx) =>
    tx.member.updateMany({ where: { userId, workspaceId }, data: { signature } }),
  );
  if (count === 0) throw new Refusal('forbidden', NOT_OPEN);
}

/**
 * Changes a teammate's name in all their workspaces. Earlier messages keep the old name.
 * @throws Refusal for an invalid name
 */
export async function changeName({ userId, name }: { userId: string; name: string }): Promise<void> {
  const data = { name: parseName(name, { field: 'name', label: 'name' }) };
  await inTransaction((tx) => tx.user.update({ where: { id: userId }, data, select: { id: true } }));
}

/** Changes what a teammate sees after solving a conversation, in all their workspaces. */
export async function changeAfterSolving(change: {
  userId: string;
  afterSolving: AfterSolving;
}): Promise<void> {
  const { userId, afterSolving } = change;
  await inTransaction((tx) =>
    tx.user.update({ where: { id: userId }, data: { afterSolving }, select: { id: true } }),
  );
}
