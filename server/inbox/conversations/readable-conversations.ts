import { Prisma } from '#server/generated/prisma/client.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { isVisibleById, visibleById } from '#server/inbox/conversations/visible-conversations.ts';
import { isAdmin } from '#server/teammates/roles.ts';
import type { Visibility } from '#server/teammates/visibility.ts';

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

/** A member who reads: the role and, if it is limited, what they see. */
export type MemberView = { role: Role; visibility?: Visibility | null | undefined };

/** Returns the filter of the conversations that a member of these workspaces can read. */
export function readableIn(workspaces: (MemberView & { id: string })[]) {
  return {
    OR: workspaces.map(({ id, role, visibility }) => ({
      workspaceId: id,
      AND: [isAdmin(role) ? {} : NOT_DELETED, visibleById(visibility)],
    })),
  } satisfies Prisma.ConversationWhereInput;
}

/** Returns SQL for whether a member can read `conversations c` of their workspace. */
export function isReadableBy({ role, visibility }: MemberView): Prisma.Sql {
  if (isAdmin(role)) return Prisma.sql`true`;
  return visibility ? Prisma.sql`${IS_NOT_DELETED} and ${isVisibleById(visibility)}` : IS_NOT_DELETED;
}
