import { z } from 'zod';
import { addressInput, keyInput, lineInput, textInput } from '#server/contract/text-input.ts';
import { type Db, db } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import type { Flow } from '#server/generated/prisma/client.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';
import { CHANNEL_LIST } from '#server/inbox/channels/channel-names.ts';
import { CHANNELS } from '#server/inbox/channels/channels.ts';
import { createFlow, deleteFlow, switchFlow, updateFlow } from '#server/inbox/flows/change-flows.ts';
import { RUNS_PER_HOUR } from '#server/inbox/flows/count-run.ts';
import { FLOWS_MAX, type FlowContent } from '#server/inbox/flows/flow.ts';
import { readFlow } from '#server/inbox/flows/stored-flow.ts';
import { adminProcedure, screenProcedure, screenRouter } from '#server/screens/procedures.ts';
import type { FlowsView, FlowView } from '#server/screens/settings/channel-views.ts';
import { type FlowNames, flowSentence } from '#server/screens/settings/flow-sentence.ts';
import { listTeammates, listTeams } from '#server/teammates/find-teammates.ts';
import { isAdmin } from '#server/teammates/roles.ts';
import type { MemberWorkspace } from '#server/teammates/signed-in.ts';

const fields = {
  name: lineInput,
  trigger: lineInput,
  triggerStatus: lineInput,
  triggerPriority: lineInput,
  triggerTeamId: keyInput,
  triggerTags: textInput(10_000),
  triggerLimit: lineInput,
  time: lineInput,
  unit: lineInput,
  channels: z.array(lineInput).max(20),
  words: textInput(10_000),
  emailDomain: addressInput,
  statuses: z.array(lineInput).max(20),
  withTags: textInput(10_000),
  tags: textInput(10_000),
  assigneeId: keyInput,
  teamId: keyInput,
  status: lineInput,
  priority: lineInput,
};

/** Automations of a workspace. */
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
  const [flows, runs, members, teams, channels] = await Promise.all([
    db.flow.findMany({ where: { workspaceId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] }),
    readRuns(workspaceId),
    listTeammates(db, workspaceId),
    listTeams(db, workspaceId),
    isTest ? CHANNEL_LIST : listConnectedChannels(db, workspaceId),
  ]);
  const teammates = members.map(({ id, name }) => ({ id, name }));
  return {
    flows: flows.map((flow) => viewOf(flow, { teammates, teams }, runs.get(flow.id))),
    flowsMax: FLOWS_MAX,
    channels,
    teammates,
    teams,
  };
}

type Choices = Pick<FlowsView, 'teammates' | 'teams'>;
type Runs = { lastRunAt: Date | null; stoppedIn: number };

/** Maximum number of conversations that are counted for a flow. */
const STOPPED_COUNTED = 100;

/** Reads when each flow last ran, within 30 days, and for how many conversations it was stopped. */
async function readRuns(workspaceId: string): Promise<Map<string, Runs>> {
  const rows = await sql().$queryRaw<(Runs & { id: string })[]>`
    select f.id,
      (select r.last_run_at from flow_runs r where r.flow_id = f.id order by r.last_run_at desc limit 1) as "lastRunAt",
      (select count(*)::int from (
        select from flow_runs r where r.flow_id = f.id and r.stopped_at is not null limit ${STOPPED_COUNTED}::int
      ) as stopped) as "stoppedIn"
    from flows f where f.workspace_id = ${workspaceId}::uuid`;
  return new Map(rows.map((row) => [row.id, row]));
}

function viewOf({ id, name, enabled, ...stored }: Flow, choices: Choices, runs?: Runs): FlowView {
  const content = readFlow(stored) ?? null;
  const { lastRunAt = null, stoppedIn = 0 } = runs ?? {};
  const view = { id, name, enabled, content, lastRunAt };
  if (!content) {
    const problem =
      'It does nothing: its actions can no longer be read. Edit it and choose them again, or delete it.';
    return { ...view, sentence: '', problem };
  }
  const names = namesIn(content, choices);
  return { ...view, sentence: flowSentence(content, names), problem: problemOf(content, names, stoppedIn) };
}

function namesIn({ trigger, actions }: FlowContent, { teammates, teams }: Choices): FlowNames {
  const watchedId = trigger.kind === 'team_set' ? trigger.teamId : null;
  return {
    assignee: teammates.find(({ id }) => id === actions.assigneeId)?.name,
    team: teams.find(({ id }) => id === actions.teamId)?.name,
    watched: teams.find(({ id }) => id === watchedId)?.name,
  };
}

function problemOf({ trigger, actions }: FlowContent, names: FlowNames, stoppedIn: number): string | null {
  if (trigger.kind === 'team_set' && trigger.teamId && !names.watched)
    return 'It never runs: the team that it waits for was deleted.';
  if (actions.assigneeId && !names.assignee)
    return 'It assigns no teammate: the one chosen has left or can no longer take conversations.';
  if (actions.teamId && !names.team) return 'It assigns no team: the one chosen was deleted.';
  return stoppedIn === 0 ? null : describeStops(stoppedIn);
}

function describeStops(count: number): string {
  const where =
    count >= STOPPED_COUNTED
      ? `${STOPPED_COUNTED} or more conversations`
      : `${count} ${count === 1 ? 'conversation' : 'conversations'}`;
  return `It stopped for ${where}, where it ran more than ${RUNS_PER_HOUR} times within an hour. Something else probably reverts its changes. Save it or turn it off and on to let it run there again.`;
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
