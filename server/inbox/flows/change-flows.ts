import { validate as isUuid } from 'uuid';
import type { Teammate } from '#server/contract/record-schemas.ts';
import type { Tx } from '#server/core/database/prisma.ts';
import { type FieldErrors, invalid, notFound } from '#server/core/errors.ts';
import { FLOWS_MAX } from '#server/inbox/flows/flow.ts';
import { type FlowFields, parseFlow } from '#server/inbox/flows/parse-flow.ts';
import { findAssignable, findTeam } from '#server/teammates/find-teammates.ts';
import { asManager } from '#server/teammates/require-role.ts';

type By = { workspaceId: string; by: Teammate };

/**
 * Creates a flow, which runs from the next new conversation on, and returns its id.
 * @throws Refusal when `by` is neither owner nor admin, a field is invalid, or the workspace has 50 flows
 */
export async function createFlow({ workspaceId, by, ...fields }: By & FlowFields): Promise<{ id: string }> {
  const flow = parseFlow(fields);
  return asManager({ workspaceId, by }, async (tx) => {
    await refuseUnknown(tx, { workspaceId, ...flow.actions });
    if ((await tx.flow.count({ where: { workspaceId } })) >= FLOWS_MAX) {
      throw invalid({ name: [`A workspace can have up to ${FLOWS_MAX} automations. Delete one first.`] });
    }
    return tx.flow.create({ data: { workspaceId, ...flow }, select: { id: true } });
  });
}

/**
 * Changes the name, condition and actions of a flow. Its position in the order stays.
 * @throws Refusal when `by` is neither owner nor admin, a field is invalid, or the flow does not exist
 */
export async function updateFlow({
  workspaceId,
  by,
  id,
  ...fields
}: By & FlowFields & { id: string }): Promise<void> {
  const flow = parseFlow(fields);
  await asManager({ workspaceId, by }, async (tx) => {
    await refuseUnknown(tx, { workspaceId, ...flow.actions });
    const { count } = await tx.flow.updateMany({ where: whereFlow(workspaceId, id), data: flow });
    if (count === 0) throw notFound('The automation');
  });
}

/**
 * Enables or disables a flow.
 * @throws Refusal when `by` is neither owner nor admin, or the flow does not exist
 */
export async function switchFlow({
  workspaceId,
  by,
  id,
  enabled,
}: By & { id: string; enabled: boolean }): Promise<void> {
  await asManager({ workspaceId, by }, async (tx) => {
    const { count } = await tx.flow.updateMany({ where: whereFlow(workspaceId, id), data: { enabled } });
    if (count === 0) throw notFound('The automation');
  });
}

/**
 * Deletes a flow; its past changes stay. Idempotent.
 * @throws Refusal when `by` is neither owner nor admin
 */
export async function deleteFlow({ workspaceId, by, id }: By & { id: string }): Promise<void> {
  await asManager({ workspaceId, by }, (tx) => tx.flow.deleteMany({ where: whereFlow(workspaceId, id) }));
}

/** @throws Refusal unless the assignee and the team, where given, belong to the workspace */
async function refuseUnknown(
  tx: Tx,
  targets: { workspaceId: string; assigneeId: string | null; teamId: string | null },
): Promise<void> {
  const { workspaceId, assigneeId, teamId } = targets;
  const errors: FieldErrors = {};
  if (assigneeId && !(await findAssignable(tx, { workspaceId, id: assigneeId }))) {
    errors.assigneeId = ['Choose a teammate of this workspace who can take conversations, or no one.'];
  }
  if (teamId && !(await findTeam(tx, { workspaceId, id: teamId }))) {
    errors.teamId = ['Choose a team of this workspace, or none.'];
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

function whereFlow(workspaceId: string, id: string) {
  if (!isUuid(id)) throw notFound('The automation');
  return { workspaceId, id };
}
