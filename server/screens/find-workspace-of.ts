import { validate as isUuid } from 'uuid';
import { ask, type ReadDb, read } from '#server/core/database/reads.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { MemberWorkspace, SignedIn } from '#server/teammates/signed-in.ts';

/** A record that has an address of its own in the app. */
export type AddressedRecord = { kind: 'conversation' | 'contact'; id: string };

/**
 * In which of their workspaces a teammate finds a conversation or contact, whichever is open; null when it is in none
 * of them, so that no one learns of records of strangers (decisions: conversations and contacts, 16).
 * @param record.id any text
 */
export async function findWorkspaceOf(
  db: ReadDb,
  { workspaces }: Pick<SignedIn, 'workspaces'>,
  { kind, id }: AddressedRecord,
): Promise<MemberWorkspace | null> {
  if (!isUuid(id)) return null;
  const table = Prisma.raw(kind === 'conversation' ? 'conversations' : 'contacts');
  const statement = Prisma.sql`
    select workspace_id as "workspaceId" from ${table}
    where id = ${id}::uuid and workspace_id = any(${workspaces.map((workspace) => workspace.id)}::uuid[])`;
  return ask(
    db,
    read(
      statement,
      ([found]: { workspaceId: string }[]) =>
        workspaces.find((workspace) => workspace.id === found?.workspaceId) ?? null,
    ),
  );
}
