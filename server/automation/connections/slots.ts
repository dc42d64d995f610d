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

/** Kind of integration that all connections of the platform share (docs/rulings.md 4.2). */
export const PLATFORM_INTEGRATION = 'automation';

function readSlots(tx: Tx, workspaceId: string) {
  return tx.workspace.findUniqueOrThrow({
    where: { id: workspaceId },
    select: { plan: true, integrations: { select: { kind: true } } },
    relationLoadStrategy: 'join',
  });
}

/** Returns whether a workspace has a slot for the platform: the platform's existing slot or a free one. */
export function hasFreeSlot(workspace: { plan: Plan; integrations: { kind: string }[] }): boolean {
  const { slots } = PLANS[workspace.plan];
  return (
    slots === null ||
    workspace.integrations.length < slots ||
    workspace.integrations.some(({ kind }) => kind === PLATFORM_INTEGRATION)
  );
}

/**
 * Takes an integration slot of the workspace for the platform, or shares the platform's existing one. The
 * caller holds the workspace's row lock, so slots are never oversold.
 * @returns the integration's id, or null when the plan has no free slot
 */
export async function claimSlot(tx: Tx, workspaceId: string): Promise<string | null> {
  if (!hasFreeSlot(await readSlots(tx, workspaceId))) return null;
  const kind = PLATFORM_INTEGRATION;
  const { id } = await tx.integration.upsert({
    where: { workspaceId_kind: { workspaceId, kind } },
    create: { workspaceId, kind, name: settings().PLATFORM_NAME },
    update: {},
    select: { id: true },
  });
  return id;
}

/** Integrations that the demo adds, in this order. They only use up slots. */
const SAMPLES = [
  { kind: 'shop', name: 'Online shop' },
  { kind: 'crm', name: 'Sales CRM' },
  { kind: 'calendar', name: 'Booking calendar' },
  { kind: 'billing', name: 'Billing system' },
  { kind: 'parcels', name: 'Parcel tracking' },
  { kind: 'telephony', name: 'Telephone system' },
];

/**
 * Returns the next sample that a workspace does not have. Returns undefined when it has all of them, or
 * outside the demo.
 */
export function nextSample(integrations: { kind: string }[]): { kind: string; name: string } | undefined {
  if (!settings().DEMO) return undefined;
  return SAMPLES.find((sample) => integrations.every(({ kind }) => kind !== sample.kind));
}

/**
 * Adds an integration of another kind in the demo, to show the effect of a used slot. Not available outside
 * the demo.
 * @throws Refusal when `by` is neither owner nor admin, or no slot or no sample is left
 */
export async function addSampleIntegration(input: { workspaceId: string; by: Teammate }): Promise<void> {
  if (!settings().DEMO) throw notFound('The sample integration');
  const { workspaceId, by } = input;
  await asManager(input, async (tx) => {
    const { plan, integrations } = await readSlots(tx, workspaceId);
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
 * Removes an integration of another kind than the platform's, and frees its slot (docs/rulings.md 4.2).
 * @throws Refusal when `by` is neither owner nor admin, the integration is unknown, or it is the platform's,
 *     whose slot its connections share
 */
export async function removeIntegration(which: {
  workspaceId: string;
  integrationId: string;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, integrationId, by } = which;
  await asManager(which, async (tx) => {
    const where = { workspaceId, id: integrationId };
    const found = isUuid(integrationId)
      ? await tx.integration.findFirst({ where, select: { kind: true, name: true } })
      : null;
    if (!found) throw notFound('The integration');
    const { kind, name } = found;
    if (kind === PLATFORM_INTEGRATION) {
      throw invalid({
        integration: [
          `Disconnect the connections of ${name} instead. Disconnecting the last one frees the slot.`,
        ],
      });
    }
    await tx.integration.deleteMany({ where });
    await addAuditEntry(tx, { workspaceId, kind: 'integration_removed', by, data: { name } });
  });
  publish(workspaceId, 'deliveries');
}
