import { textProblem } from '#server/contract/fields.ts';
import { parseName } from '#server/contract/parse-name.ts';
import { inTransaction } from '#server/core/database/prisma.ts';
import { invalid, Refusal } from '#server/core/errors.ts';
import type { AfterSolving } from '#server/generated/prisma/enums.ts';

export const SIGNATURE_MAX_LENGTH = 1_000;

/**
 * Changes the signature of a teammate's emails in one workspace; a blank signature removes it.
 * @throws Refusal under `signature` when the text is too long, or when the teammate has left the workspace
 */
export async function changeSignature(change: {
  userId: string;
  workspaceId: string;
  signature: string;
}): Promise<void> {
  const { userId, workspaceId } = change;
  const text = change.signature.replaceAll(/\r\n?/g, '\n').trim();
  const problem = text && textProblem(text, { label: 'signature', max: SIGNATURE_MAX_LENGTH });
  if (problem) throw invalid({ signature: [problem] });
  const signature = text || null;
  const { count } = await inTransaction((tx) =>
    tx.member.updateMany({ where: { userId, workspaceId }, data: { signature } }),
  );
  if (count === 0) throw new Refusal('forbidden', 'You are no longer in this workspace.');
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
