import { z } from 'zod';
import {
  findWithSecondFactor,
  resetSecondFactor,
} from '#server/administration/accounts/second-factor/require-second-factor.ts';
import { removeMember } from '#server/administration/members/remove-member.ts';
import {
  findMember,
  mayRemove,
  ONLY_OWNER,
  rolesToGive,
  rolesToInvite,
} from '#server/administration/members/role-rules.ts';
import { setAway } from '#server/administration/members/set-away.ts';
import { setRole } from '#server/administration/members/set-role.ts';
import { keyInput, lineInput } from '#server/contract/text-input.ts';
import { type Db, db } from '#server/core/database/prisma.ts';
import { Refusal } from '#server/core/errors.ts';
import { Role } from '#server/generated/prisma/enums.ts';
import { adminProcedure, ownerProcedure, screenProcedure, screenRouter } from '#server/screens/procedures.ts';
import type { RemovalView, TeammateRow, TeammatesView } from '#server/screens/settings/people-views.ts';
import { awayAt } from '#server/teammates/away.ts';
import { compareNames } from '#server/teammates/find-teammates.ts';
import { ONLY_MANAGERS } from '#server/teammates/require-role.ts';
import { isAdmin } from '#server/teammates/roles.ts';

const which = z.object({ userId: keyInput });

/** Members of the open workspace and their roles. */
export const teammatesScreens = screenRouter({
  list: screenProcedure.query(async ({ ctx: { workspace, user } }): Promise<TeammatesView> => {
    const { id: workspaceId, role, isTest } = workspace;
    const teammates = await listMembers(db(), { workspaceId, by: { id: user.id, role } });
    // The teammates of a test workspace are changed in its workspace.
    return isTest
      ? { mayManage: false, invitableRoles: [], teammates: teammates.map(withoutChanges) }
      : { mayManage: isAdmin(role), invitableRoles: rolesToInvite(role), teammates };
  }),
  removal: screenProcedure
    .input(which)
    .query(({ ctx: { workspace, user }, input: { userId } }): Promise<RemovalView> => {
      const mayAsk = userId === user.id || isAdmin(workspace.role);
      if (!mayAsk) throw new Refusal('forbidden', ONLY_MANAGERS);
      return getRemoval(db(), { workspaceId: workspace.id, userId });
    }),
  setRole: adminProcedure
    .input(which.extend({ role: z.enum(Role) }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      setRole({ workspaceId: workspace.id, ...input, by: user }),
    ),
  remove: adminProcedure
    .input(which)
    .mutation(({ ctx: { workspace, user }, input }) =>
      removeMember({ workspaceId: workspace.id, ...input, by: user }),
    ),
  resetSecondFactor: ownerProcedure.input(which).mutation(({ ctx: { workspace, user, signedIn }, input }) => {
    const openIds = signedIn.workspaces.map(({ id }) => id);
    return resetSecondFactor({ workspaceId: workspace.id, ...input, by: user, openIds });
  }),
  setAway: screenProcedure
    .input(
      which.extend({ absence: z.object({ backOn: lineInput.nullable(), timeZone: lineInput }).nullable() }),
    )
    .mutation(({ ctx: { workspace, user }, input }) =>
      setAway({ workspaceId: workspace.id, ...input, by: user }),
    ),
  leave: screenProcedure.mutation(({ ctx: { workspace, user } }) =>
    removeMember({ workspaceId: workspace.id, userId: user.id, by: user }),
  ),
});

function withoutChanges(teammate: TeammateRow): TeammateRow {
  return {
    ...teammate,
    roles: [],
    mayRemove: false,
    maySetAway: false,
    mayResetSecondFactor: false,
    problem: null,
  };
}

const RANKS = Object.values(Role);

/** Returns the members of a workspace by role, then name, with the changes that `by` can make. */
async function listMembers(
  db: Db,
  { workspaceId, by }: { workspaceId: string; by: { id: string; role: Role } },
): Promise<TeammateRow[]> {
  const [members, connections] = await Promise.all([
    db.member.findMany({
      where: { workspaceId },
      select: {
        role: true,
        createdAt: true,
        awaySince: true,
        awayUntil: true,
        user: { select: { id: true, name: true, email: true } },
      },
      relationLoadStrategy: 'join',
    }),
    db.connection.groupBy({ by: ['userId'], where: { workspaceId, endedAt: null }, _count: true }),
  ]);
  const withFactor = isAdmin(by.role)
    ? await findWithSecondFactor(members.map(({ user }) => user.id))
    : new Set<string>();
  const owners = members.filter(({ role }) => role === 'owner').length;
  const counts = new Map(connections.map(({ userId, _count }) => [userId, _count]));
  return members
    .map(({ role, createdAt, user, ...absence }): TeammateRow => {
      const isYou = user.id === by.id;
      const isLastOwner = role === 'owner' && owners === 1;
      return {
        ...user,
        role,
        joinedAt: createdAt,
        isYou,
        roles: isLastOwner ? [] : rolesToGive(by.role, role),
        mayRemove: !isLastOwner && (isYou || mayRemove(by.role, role)),
        problem: isLastOwner && isYou ? ONLY_OWNER : null,
        connections: counts.get(user.id) ?? 0,
        away: awayAt(absence, new Date()),
        maySetAway: isYou || isAdmin(by.role),
        hasSecondFactor: withFactor.has(user.id),
        mayResetSecondFactor: by.role === 'owner' && !isYou && withFactor.has(user.id),
      };
    })
    .sort((a, b) => RANKS.indexOf(a.role) - RANKS.indexOf(b.role) || compareNames(a, b));
}

/**
 * Returns the consequences of a teammate's removal.
 * @throws Refusal when the workspace has no such member
 */
async function getRemoval(
  db: Db,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<RemovalView> {
  const { teammate } = await findMember(db, { workspaceId, userId });
  const [connections, liveWorkflows, conversations] = await Promise.all([
    db.connection.count({ where: { workspaceId, userId, endedAt: null } }),
    db.hook.count({ where: { workspaceId, removedAt: null, connection: { userId } } }),
    db.conversation.count({ where: { workspaceId, assigneeId: userId } }),
  ]);
  return { name: teammate.name, connections, liveWorkflows, conversations };
}
