import { validate as isUuid } from 'uuid';
import type { Teammate } from '#server/contract/record-schemas.ts';
import type { Tx } from '#server/core/database/prisma.ts';
import { type FieldErrors, invalid, notFound } from '#server/core/errors.ts';
import { clearStops } from '#server/inbox/flows/count-run.ts';
import { FLOWS_MAX, isTimed } from '#server/inbox/flows/flow.ts';
import { type FlowFields, type ParsedFlow, parseFlow } from '#server/inbox/flows/parse-flow.ts';
import { readFlow, storedFlow } from '#server/inbox/flows/stored-flow.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { findAssignable, findTeam } from '#server/teammates/find-teammates.ts';
import { asManager } from '#server/teammates/require-role.ts';

type By = { workspaceId: string; by: Teammate };

/**
 * Creates a flow and returns its id. A flow that waits for time counts from now on.
 * @throws Refusal when `by` is neither owner nor admin, a field is invalid, or the workspace has 50 flows
 */
export async function createFlow({ workspaceId, by, ...fields }: By & FlowFields): Promise<{ id: string }> {
  const flow = parseFlow(fields);
  return asManager({ workspaceId, by }, async (tx) => {
    await refuseUnknown(tx, workspaceId, flow);
    if ((await tx.flow.count({ where: { workspaceId } })) >= FLOWS_MAX) {
      throw invalid({ name: [`A workspace can have up to ${FLOWS_MAX} automations. Delete one first.`] });
    }
    await addAuditEntry(tx, { workspaceId, kind: 'flow_created', by, data: { flowName: flow.name } });
    const timedUntil = isTimed(flow.trigger) ? new Date() : null;
    const data = { workspaceId, name: flow.name, ...storedFlow(flow), timedUntil };
    return tx.flow.create({ data, select: { id: true } });
  });
}

/**
 * Changes a flow. Its position in the order stays. It runs again for conversations for which it was stopped, and with another
 * trigger of time it counts from now on.
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
    await refuseUnknown(tx, workspaceId, flow);
    const before = await findFlow(tx, { workspaceId, id });
    const isSameTrigger = JSON.stringify(readFlow(before)?.trigger) === JSON.stringify(flow.trigger);
    const timed = isTimed(flow.trigger) ? COUNTS_FROM_NOW() : COUNTS_NO_TIME;
    const data = { name: flow.name, ...storedFlow(flow), ...(isSameTrigger ? {} : timed) };
    await tx.flow.update({ where: { id }, data, select: { id: true } });
    await clearStops(tx, id);
    await addAuditEntry(tx, { workspaceId, kind: 'flow_changed', by, data: { flowName: flow.name } });
  });
}

/**
 * Enables or disables a flow. An enabled one runs again for conversations for which it was stopped, and counts time from now on.
 * @throws Refusal when `by` is neither owner nor admin, or the flow does not exist
 */
export async function switchFlow({
  workspaceId,
  by,
  id,
  enabled,
}: By & { id: string; enabled: boolean }): Promise<void> {
  await asManager({ workspaceId, by }, async (tx) => {
    const flow = await findFlow(tx, { workspaceId, id });
    if (flow.enabled === enabled) return;
    const timed = enabled && flow.timedUntil ? COUNTS_FROM_NOW() : {};
    await tx.flow.update({ where: { id }, data: { enabled, ...timed }, select: { id: true } });
    if (enabled) await clearStops(tx, id);
    const kind = enabled ? 'flow_turned_on' : 'flow_turned_off';
    await addAuditEntry(tx, { workspaceId, kind, by, data: { flowName: flow.name } });
  });
}

/**
 * Deletes a flow; its past changes stay. Idempotent.
 * @throws Refusal when `by` is neither owner nor admin
 */
export async function deleteFlow({ workspaceId, by, id }: By & { id: string }): Promise<void> {
  await asManager({ workspaceId, by }, async (tx) => {
    const where = whereFlow(workspaceId, id);
    const found = await tx.flow.findFirst({ where, select: { name: true } });
    if (!found) return;
    await tx.flow.deleteMany({ where });
    await addAuditEntry(tx, { workspaceId, kind: 'flow_deleted', by, data: { flowName: found.name } });
  });
}

const COUNTS_FROM_NOW = () => ({ timedUntil: new Date(), timedUntilId: null });
const COUNTS_NO_TIME = { timedUntil: null, timedUntilId: null };

/** @throws Refusal when the flow does not exist */
async function findFlow(tx: Tx, { workspaceId, id }: { workspaceId: string; id: string }) {
  const found = await tx.flow.findFirst({ where: whereFlow(workspaceId, id) });
  if (!found) throw notFound('The automation');
  return found;
}

/** @throws Refusal unless the assignee and the teams, where given, belong to the workspace */
async function refuseUnknown(tx: Tx, workspaceId: string, { trigger, actions }: ParsedFlow): Promise<void> {
  const { assigneeId, teamId } = actions;
  const errors: FieldErrors = {};
  if (assigneeId && !(await findAssignable(tx, { workspaceId, id: assigneeId }))) {
    errors.assigneeId = ['Choose a teammate of this workspace who can take conversations, or no one.'];
  }
  if (teamId && !(await findTeam(tx, { workspaceId, id: teamId }))) errors.teamId = [UNKNOWN_TEAM];
  const watched = trigger.kind === 'team_set' ? trigger.teamId : null;
  if (watched && !(await findTeam(tx, { workspaceId, id: watched }))) errors.triggerTeamId = [UNKNOWN_TEAM];
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

const UNKNOWN_TEAM = 'Choose a team of this workspace, or none.';

function whereFlow(workspaceId: string, id: string) {
  if (!isUuid(id)) throw notFound('The automation');
  return { workspaceId, id };
}
