import type { Teammate } from '#server/contract/record-schemas.ts';
import { settings } from '#server/core/env.ts';
import { notFound, Refusal } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';
import { asManager } from '#server/teammates/as-manager.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { PLANS } from '#server/teammates/plans.ts';

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
