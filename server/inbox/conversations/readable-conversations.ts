import { Prisma } from '#server/generated/prisma/client.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { isAdmin } from '#server/teammates/roles.ts';
import type { MemberWorkspace } from '#server/teammates/signed-in.ts';

// Only owners and admins read deleted conversations. A deletion includes the conversations that were merged into the
// deleted one. For agents and viewers none of them exists.

const IN_USE = { OR: [{ removal: null }, { removal: 'spam' }] } satisfies Prisma.ConversationWhereInput;

/** Filter: the conversation is not deleted, neither itself nor with the one that it was merged into. */
export const NOT_DELETED = {
  AND: [IN_USE, { OR: [{ mergedIntoId: null }, { mergedInto: IN_USE }] }],
} satisfies Prisma.ConversationWhereInput;

/** SQL of `NOT_DELETED`, for `conversations c`. */
export const IS_NOT_DELETED = Prisma.sql`not exists (
  select from conversations deleted where deleted.id in (c.id, c.merged_into_id) and deleted.removal = 'deleted')`;

/** Returns the filter of the conversations that a member of these workspaces can read. */
export function readableIn(workspaces: Pick<MemberWorkspace, 'id' | 'role'>[]) {
  return {
    OR: workspaces.map(({ id, role }) => ({ workspaceId: id, ...(isAdmin(role) ? {} : NOT_DELETED) })),
  } satisfies Prisma.ConversationWhereInput;
}

/** Returns SQL for whether a role can read `conversations c` of its workspace. */
export function isReadableBy(role: Role): Prisma.Sql {
  return isAdmin(role) ? Prisma.sql`true` : IS_NOT_DELETED;
}
