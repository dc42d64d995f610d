import { validate as isUuid } from 'uuid';
import type { Db } from '#server/ground/db.ts';
import type { MemberWorkspace, SignedIn } from '#server/people/teammates/signed-in.ts';

/** A record that has an address of its own in the app. */
export type AddressedRecord = { kind: 'conversation' | 'contact'; id: string };

/**
 * In which of their workspaces a teammate finds a conversation or contact, whichever is open; null when it is in none of
 * them, so that nobody learns of records of strangers (decisions: conversations and contacts, 16).
 * @param record.id any text
 */
export async function findWorkspaceOf(
  db: Db,
  { workspaces }: Pick<SignedIn, 'workspaces'>,
  { kind, id }: AddressedRecord,
): Promise<MemberWorkspace | null> {
  if (!isUuid(id)) return null;
  const asked = {
    where: { id, workspaceId: { in: workspaces.map((workspace) => workspace.id) } },
    select: { workspaceId: true },
  };
  const found = await (kind === 'conversation'
    ? db.conversation.findFirst(asked)
    : db.contact.findFirst(asked));
  return workspaces.find((workspace) => workspace.id === found?.workspaceId) ?? null;
}
