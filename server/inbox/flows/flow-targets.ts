import type { Teammate } from '#server/contract/record-schemas.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import type { FlowActions } from '#server/inbox/flows/flow.ts';
import { findAssignable, findTeam } from '#server/teammates/find-teammates.ts';

type Targets = { assignee: Teammate | undefined; team: { id: string; name: string } | undefined };

/** Finds the assignee and the team of a flow. Skips a teammate who left or became a viewer, and a deleted team. */
export type FindTargets = (actions: Pick<FlowActions, 'assigneeId' | 'teamId'>) => Promise<Targets>;

/**
 * Returns a function that finds and locks the targets of a flow when the flow runs, for conversations that no other transaction
 * sees yet. The usual lock order is members before conversations, but nobody waits for the lock of such a conversation.
 */
export function targetsOnDemand(tx: SqlDb, workspaceId: string): FindTargets {
  return async ({ assigneeId, teamId }) => ({
    assignee: assigneeId ? await findAssignable(tx, { workspaceId, id: assigneeId }) : undefined,
    team: teamId ? await findTeam(tx, { workspaceId, id: teamId }) : undefined,
  });
}

/** Finds and locks the targets of flows, in a fixed order and before the conversation is locked. */
export async function lockTargets(
  tx: SqlDb,
  workspaceId: string,
  flows: { actions: FlowActions }[],
): Promise<FindTargets> {
  const assignees = new Map<string, Teammate | undefined>();
  const teams = new Map<string, Targets['team']>();
  for (const id of idsOf(flows.map(({ actions }) => actions.assigneeId)))
    assignees.set(id, await findAssignable(tx, { workspaceId, id }));
  for (const id of idsOf(flows.map(({ actions }) => actions.teamId)))
    teams.set(id, await findTeam(tx, { workspaceId, id }));
  return async ({ assigneeId, teamId }) => ({
    assignee: assignees.get(assigneeId ?? ''),
    team: teams.get(teamId ?? ''),
  });
}

function idsOf(ids: (string | null)[]): string[] {
  return [...new Set(ids.filter((id) => id !== null))].toSorted();
}
