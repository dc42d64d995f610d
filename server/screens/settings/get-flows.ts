import type { Db } from '#server/core/database/db.ts';
import type { Flow } from '#server/generated/prisma/client.ts';
import { FLOWS_MAX, type FlowActions, flowActions, flowCondition } from '#server/inbox/flows/flow.ts';
import { flowSentence } from '#server/screens/settings/flow-sentence.ts';
import type { FlowsView, FlowView } from '#server/screens/settings/flows-views.ts';
import { listConnectedChannels } from '#server/screens/settings/list-connected-channels.ts';
import { listTeammates } from '#server/teammates/list-teammates.ts';
import { listTeams } from '#server/teammates/list-teams.ts';

/** The flows of a workspace in the order in which they run, with whom they may assign to. */
export async function getFlows(db: Db, workspaceId: string): Promise<Omit<FlowsView, 'mayManage'>> {
  const [flows, members, teams, channels] = await Promise.all([
    db.flow.findMany({ where: { workspaceId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] }),
    listTeammates(db, workspaceId),
    listTeams(db, workspaceId),
    listConnectedChannels(db, workspaceId),
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
