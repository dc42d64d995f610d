import { validate as isUuid } from 'uuid';
import type { Teammate } from '#server/contract/record-schemas.ts';
import type { Tx } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { invalid, notFound, Refusal } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';
import type { Plan } from '#server/generated/prisma/enums.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { PLANS } from '#server/teammates/plans.ts';
import { asManager } from '#server/teammates/require-role.ts';

/** The kind of integration that all connections of the platform share (decisions: OAuth, 2). */
export const PLATFORM_INTEGRATION = 'automation';

/** What must be selected of a workspace to judge its slots. */
const slotsSelect = { plan: true, integrations: { select: { kind: true } } } as const;

/** Whether a workspace has a slot for the platform: the one it already holds, or a free one. */
export function hasFreeSlot(workspace: { plan: Plan; integrations: { kind: string }[] }): boolean {
  const { slots } = PLANS[workspace.plan];
  return (
    slots === null ||
    workspace.integrations.length < slots ||
    workspace.integrations.some(({ kind }) => kind === PLATFORM_INTEGRATION)
  );
}

/**
 * Takes the workspace's integration slot for the platform, or shares the one it holds. The caller holds the
 * workspace's lock, so slots are never oversold.
 * @returns the integration's id, or null when no slot of the plan is free
 */
export async function takeSlot(tx: Tx, workspaceId: string): Promise<string | null> {
  const workspace = await tx.workspace.findUniqueOrThrow({
    where: { id: workspaceId },
    select: slotsSelect,
    relationLoadStrategy: 'join',
  });
  if (!hasFreeSlot(workspace)) return null;
  const kind = PLATFORM_INTEGRATION;
  const { id } = await tx.integration.upsert({
    where: { workspaceId_kind: { workspaceId, kind } },
    create: { workspaceId, kind, name: settings().PLATFORM_NAME },
    update: {},
    select: { id: true },
  });
  return id;
}

/** What the demo adds, one after the other: integrations that only take a slot. */
const SAMPLES = [
  { kind: 'shop', name: 'Online shop' },
  { kind: 'crm', name: 'Sales CRM' },
  { kind: 'calendar', name: 'Booking calendar' },
  { kind: 'billing', name: 'Billing system' },
  { kind: 'parcels', name: 'Parcel tracking' },
  { kind: 'telephony', name: 'Telephone system' },
];

/** The next sample that a workspace does not have; undefined: it has them all, or this is no demo. */
export function nextSample(integrations: { kind: string }[]): { kind: string; name: string } | undefined {
  if (!settings().DEMO) return undefined;
  return SAMPLES.find((sample) => integrations.every(({ kind }) => kind !== sample.kind));
}

/**
 * In the demo, adds an integration of another kind, so that one can see what a used slot means. Elsewhere such integrations
 * come from what they integrate, and this does not exist.
 * @throws Refusal when `by` is neither owner nor admin, or no slot or no sample is left
 */
export async function addSampleIntegration(given: { workspaceId: string; by: Teammate }): Promise<void> {
  if (!settings().DEMO) throw notFound('The sample integration');
  const { workspaceId, by } = given;
  await asManager(given, async (tx) => {
    const { plan, integrations } = await tx.workspace.findUniqueOrThrow({
      where: { id: workspaceId },
      select: { plan: true, integrations: { select: { kind: true } } },
      relationLoadStrategy: 'join',
    });
    const { planName, slots } = PLANS[plan];
    if (slots !== null && integrations.length >= slots) {
      const which = slots === 1 ? 'The integration slot' : `All ${slots} integration slots`;
      const verb = slots === 1 ? 'is' : 'are';
      throw new Refusal(
        'forbidden',
        `${which} of the ${planName} plan ${verb} in use. Remove an integration or upgrade first.`,
      );
    }
    const sample = nextSample(integrations);
    if (!sample) throw new Refusal('forbidden', 'All sample integrations have already been added.');
    await tx.integration.create({ data: { workspaceId, ...sample }, select: { id: true } });
    await addAuditEntry(tx, { workspaceId, kind: 'integration_added', by, data: { name: sample.name } });
  });
  publish(workspaceId, 'deliveries');
}

/**
 * Removes an integration of another kind than the platform's, which frees its slot (decisions: OAuth, 2).
 * @throws Refusal when `by` is neither owner nor admin, there is no such integration, or it is the platform's, whose slot
 * its connections share
 */
export async function removeIntegration(given: {
  workspaceId: string;
  integrationId: string;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, integrationId, by } = given;
  await asManager(given, async (tx) => {
    const where = { workspaceId, id: integrationId };
    const found = isUuid(integrationId)
      ? await tx.integration.findFirst({ where, select: { kind: true, name: true } })
      : null;
    if (!found) throw notFound('The integration');
    const { kind, name } = found;
    if (kind === PLATFORM_INTEGRATION) {
      throw invalid({
        integration: [`Disconnect the connections of ${name} instead: its slot is free with the last one.`],
      });
    }
    await tx.integration.deleteMany({ where });
    await addAuditEntry(tx, { workspaceId, kind: 'integration_removed', by, data: { name } });
  });
  publish(workspaceId, 'deliveries');
}
