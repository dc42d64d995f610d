import { z } from 'zod';
import { setOnlyAssigned } from '#server/administration/members/set-only-assigned.ts';
import { limitSource } from '#server/administration/teams/limit-source.ts';
import { db } from '#server/core/database/prisma.ts';
import { CHANNEL_NAMES } from '#server/inbox/channels/channel-names.ts';
import { adminProcedure, screenRouter } from '#server/screens/procedures.ts';
import type { SourceView, VisibilityView } from '#server/screens/settings/people-views.ts';
import { compareNames } from '#server/teammates/find-teammates.ts';
import { isAdmin } from '#server/teammates/roles.ts';

/** Maximum number of teams that a request names; a workspace has no more (`TEAMS_MAX`). */
const NAMED_MAX = 200;

/** Who sees which conversations. */
export const visibilityScreens = screenRouter({
  get: adminProcedure.query(({ ctx: { workspace } }) => getVisibility(workspace.id)),
  /** Limits a source to teams, or opens it to everyone (null). */
  limitSource: adminProcedure
    .input(
      z.object({
        mailboxId: z.uuid().nullable(),
        channelAccountId: z.uuid().nullable(),
        teamIds: z.array(z.uuid()).max(NAMED_MAX).nullable(),
      }),
    )
    .mutation(({ ctx: { workspace, user }, input: { teamIds, ...source } }) =>
      limitSource({ workspaceId: workspace.id, source, teamIds, by: user }),
    ),
  setOnlyAssigned: adminProcedure
    .input(z.object({ userId: z.uuid(), onlyAssigned: z.boolean() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      setOnlyAssigned({ workspaceId: workspace.id, ...input, by: user }),
    ),
});

/** Returns the sources of conversations with the teams that see them, and the teammates whose view can be limited. */
async function getVisibility(workspaceId: string): Promise<VisibilityView> {
  const [mailboxes, accounts, limits, teams, members] = await Promise.all([
    db().mailbox.findMany({
      where: { workspaceId },
      select: { id: true, address: true },
      orderBy: { address: 'asc' },
    }),
    db().channelAccount.findMany({
      // Email has its mailbox as its source. A disconnected account stays limited.
      where: {
        workspaceId,
        channel: { not: 'email' },
        OR: [{ deletedAt: null }, { limitedSource: { some: {} } }],
      },
      select: { id: true, name: true, channel: true, deletedAt: true },
      orderBy: [{ channel: 'asc' }, { name: 'asc' }],
    }),
    db().limitedSource.findMany({
      where: { workspaceId },
      select: { mailboxId: true, channelAccountId: true, teams: { select: { teamId: true } } },
      relationLoadStrategy: 'join',
    }),
    db().team.findMany({ where: { workspaceId, deletedAt: null }, select: { id: true, name: true } }),
    db().member.findMany({
      where: { workspaceId },
      select: { role: true, onlyAssigned: true, user: { select: { id: true, name: true } } },
      relationLoadStrategy: 'join',
    }),
  ]);
  const isTeam = new Set(teams.map(({ id }) => id));
  const withTeams = (source: Omit<SourceView, 'teamIds'>): SourceView => {
    const limit = limits.find(
      (each) => each.mailboxId === source.mailboxId && each.channelAccountId === source.channelAccountId,
    );
    const teamIds = limit?.teams.map(({ teamId }) => teamId).filter((id) => isTeam.has(id));
    return { ...source, teamIds: teamIds ?? null };
  };
  return {
    sources: [
      ...mailboxes.map(({ id, address }) =>
        withTeams({ name: address, channel: 'email', mailboxId: id, channelAccountId: null }),
      ),
      ...accounts.map(({ id, name, channel, deletedAt }) =>
        withTeams({
          name: deletedAt ? `${name} (disconnected)` : name,
          channel,
          mailboxId: null,
          channelAccountId: id,
        }),
      ),
      withTeams({
        name: CHANNEL_NAMES.webchat.name,
        channel: 'webchat',
        mailboxId: null,
        channelAccountId: null,
      }),
    ],
    teams: teams.sort(compareNames),
    teammates: members
      .flatMap(({ role, onlyAssigned, user }) => (isAdmin(role) ? [] : [{ ...user, role, onlyAssigned }]))
      .sort(compareNames),
  };
}
