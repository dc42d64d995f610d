import { z } from 'zod';
import { addressInput, keyInput, lineInput, textInput } from '#server/contract/text-input.ts';
import { type Db, db } from '#server/core/database/prisma.ts';
import type { Flow } from '#server/generated/prisma/client.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';
import { CHANNEL_LIST, CHANNEL_NAMES } from '#server/inbox/channels/channel-names.ts';
import { CHANNELS } from '#server/inbox/channels/channels.ts';
import { createFlow, deleteFlow, switchFlow, updateFlow } from '#server/inbox/flows/change-flows.ts';
import {
  FLOWS_MAX,
  type FlowActions,
  type FlowCondition,
  flowActions,
  flowCondition,
} from '#server/inbox/flows/flow.ts';
import { adminProcedure, screenProcedure, screenRouter } from '#server/screens/procedures.ts';
import type { FlowsView, FlowView } from '#server/screens/settings/channel-views.ts';
import { listTeammates, listTeams } from '#server/teammates/find-teammates.ts';
import { isAdmin } from '#server/teammates/roles.ts';
import type { MemberWorkspace } from '#server/teammates/signed-in.ts';

const fields = {
  name: lineInput,
  channels: z.array(lineInput).max(20),
  words: textInput(10_000),
  emailDomain: addressInput,
  tags: textInput(10_000),
  assigneeId: keyInput,
  teamId: keyInput,
  status: lineInput,
};

/** Automations for new conversations. */
export const flowsScreens = screenRouter({
  get: screenProcedure.query(
    async ({ ctx: { workspace } }): Promise<FlowsView> => ({
      mayManage: isAdmin(workspace.role),
      ...(await getFlows(db(), workspace)),
    }),
  ),
  create: adminProcedure
    .input(z.object(fields))
    .mutation(({ ctx: { workspace, user }, input }) =>
      createFlow({ workspaceId: workspace.id, by: user, ...input }),
    ),
  update: adminProcedure
    .input(z.object({ id: keyInput, ...fields }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      updateFlow({ workspaceId: workspace.id, by: user, ...input }),
    ),
  switch: adminProcedure
    .input(z.object({ id: keyInput, enabled: z.boolean() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      switchFlow({ workspaceId: workspace.id, by: user, ...input }),
    ),
  delete: adminProcedure
    .input(z.object({ id: keyInput }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      deleteFlow({ workspaceId: workspace.id, by: user, ...input }),
    ),
});

/** Returns the flows of a workspace in the order in which they run, and the choices for assignees and teams. */
async function getFlows(
  db: Db,
  { id: workspaceId, isTest }: Pick<MemberWorkspace, 'id' | 'isTest'>,
): Promise<Omit<FlowsView, 'mayManage'>> {
  const [flows, members, teams, channels] = await Promise.all([
    db.flow.findMany({ where: { workspaceId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] }),
    listTeammates(db, workspaceId),
    listTeams(db, workspaceId),
    isTest ? CHANNEL_LIST : listConnectedChannels(db, workspaceId),
  ]);
  const teammates = members.map(({ id, name }) => ({ id, name }));
  return {
    flows: flows.map((flow) => viewOf(flow, { teammates, teams })),
    flowsMax: FLOWS_MAX,
    channels,
    teammates,
    teams,
  };
}

type Choices = Pick<FlowsView, 'teammates' | 'teams'>;

function viewOf({ id, name, enabled, ...stored }: Flow, choices: Choices): FlowView {
  const condition = flowCondition.safeParse(stored.condition);
  const actions = flowActions.safeParse(stored.actions);
  if (!condition.success || !actions.success) {
    const problem =
      'It does nothing: its actions can no longer be read. Edit it and choose them again, or delete it.';
    return { id, name, enabled, content: null, sentence: '', problem };
  }
  const content = { condition: condition.data, actions: actions.data };
  const names = {
    assignee: choices.teammates.find((each) => each.id === actions.data.assigneeId)?.name,
    team: choices.teams.find((each) => each.id === actions.data.teamId)?.name,
  };
  const sentence = flowSentence(condition.data, actions.data, names);
  return { id, name, enabled, content, sentence, problem: problemOf(actions.data, names) };
}

function problemOf(
  { assigneeId, teamId }: FlowActions,
  names: { assignee: string | undefined; team: string | undefined },
): string | null {
  if (assigneeId && !names.assignee) {
    return 'It assigns no teammate: the one chosen has left or can no longer take conversations.';
  }
  return teamId && !names.team ? 'It assigns no team: the one chosen was deleted.' : null;
}

/** Names of the assignee and the team; undefined when they cannot be assigned. */
type FlowNames = { assignee: string | undefined; team: string | undefined };

/** Returns a sentence with the condition and the actions of a flow. */
function flowSentence(condition: FlowCondition, actions: FlowActions, names: FlowNames): string {
  return `When ${whenOf(condition)}: ${listOf(doingOf(actions, names), 'and')}.`;
}

function whenOf({ channels, words, emailDomain }: FlowCondition): string {
  const who = emailDomain === null ? 'someone' : `someone from ${emailDomain}`;
  const where =
    channels.length === 0
      ? ''
      : ` ${listOf(
          channels.map((each) => CHANNEL_NAMES[each].phrase),
          'or',
        )}`;
  const quoted = words.map((word) => `“${word}”`);
  const about = words.length === 0 ? '' : ` and mentions ${listOf(quoted, 'or')}`;
  return `${who} starts a conversation${where}${about}`;
}

function doingOf({ tags, assigneeId, teamId, status }: FlowActions, { assignee, team }: FlowNames): string[] {
  const quoted = tags.map((tag) => `“${tag}”`);
  return [
    ...(tags.length > 0 ? [`add the ${tags.length === 1 ? 'tag' : 'tags'} ${listOf(quoted, 'and')}`] : []),
    ...(teamId ? [`assign it to ${team ? `the team ${team}` : 'a deleted team'}`] : []),
    ...(assigneeId ? [`assign it to ${assignee ?? 'a former teammate'}`] : []),
    ...(status ? [`set its status to ${status}`] : []),
  ];
}

/** Formats a list as `a, b and c`. */
function listOf(parts: string[], last: 'and' | 'or'): string {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} ${last} ${parts.at(-1)}`;
}

/**
 * Returns the channels on which contacts can write: those without accounts, and those with a connected
 * account.
 */
async function listConnectedChannels(db: Db, workspaceId: string): Promise<Channel[]> {
  const accounts = await db.channelAccount.findMany({
    where: { workspaceId, deletedAt: null },
    select: { channel: true },
    distinct: ['channel'],
  });
  const connected = new Set(accounts.map(({ channel }) => channel));
  return CHANNEL_LIST.filter((channel) => !CHANNELS[channel].accounts || connected.has(channel));
}
