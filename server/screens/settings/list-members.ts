import { lastOwnerSentence } from '#server/administration/members/refuse-last-owner.ts';
import { mayRemove, rolesToGive } from '#server/administration/members/role-rules.ts';
import type { Db } from '#server/core/database/db.ts';
import { Role } from '#server/generated/prisma/enums.ts';
import type { TeammateRow } from '#server/screens/settings/teammates-views.ts';
import { compareNames } from '#server/teammates/compare-names.ts';

const RANKS = Object.values(Role);

/** Everyone in a workspace, as one of them sees it: by role, then by name. */
export async function listMembers(
  db: Db,
  { workspaceId, by }: { workspaceId: string; by: { id: string; role: Role } },
): Promise<TeammateRow[]> {
  const [members, connections] = await Promise.all([
    db.member.findMany({
      where: { workspaceId },
      select: { role: true, createdAt: true, user: { select: { id: true, name: true, email: true } } },
      relationLoadStrategy: 'join',
    }),
    db.connection.groupBy({ by: ['userId'], where: { workspaceId, endedAt: null }, _count: true }),
  ]);
  const owners = members.filter(({ role }) => role === 'owner').length;
  const counts = new Map(connections.map(({ userId, _count }) => [userId, _count]));
  return members
    .map(({ role, createdAt, user }): TeammateRow => {
      const isYou = user.id === by.id;
      const isLastOwner = role === 'owner' && owners === 1;
      return {
        ...user,
        role,
        joinedAt: createdAt,
        isYou,
        roles: isLastOwner ? [] : rolesToGive(by.role, role),
        mayRemove: !isLastOwner && (isYou || mayRemove(by.role, role)),
        problem: isLastOwner ? lastOwnerSentence(user.name) : null,
        connections: counts.get(user.id) ?? 0,
      };
    })
    .sort((a, b) => RANKS.indexOf(a.role) - RANKS.indexOf(b.role) || compareNames(a, b));
}
