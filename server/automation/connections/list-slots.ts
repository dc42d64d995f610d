import { nextSample } from '#server/automation/connections/add-sample-integration.ts';
import { PLATFORM_INTEGRATION } from '#server/automation/connections/take-slot.ts';
import type { SlotsView } from '#server/automation/connections/views.ts';
import type { Db } from '#server/ground/db.ts';
import { PLANS } from '#server/people/teammates/plans.ts';

/** The integration slots of a workspace and what uses them, oldest first. */
export async function listSlots(db: Db, workspaceId: string): Promise<SlotsView> {
  const { plan, integrations } = await db.workspace.findUniqueOrThrow({
    where: { id: workspaceId },
    select: {
      plan: true,
      integrations: {
        select: { id: true, name: true, kind: true, createdAt: true },
        orderBy: { createdAt: 'asc' },
      },
    },
    relationLoadStrategy: 'join',
  });
  const { planName, slots } = PLANS[plan];
  return {
    planName,
    limit: slots,
    used: integrations.length,
    mayAddSample: nextSample(integrations) !== undefined,
    integrations: integrations.map(({ id, name, kind, createdAt }) => ({
      id,
      name,
      since: createdAt,
      isPlatform: kind === PLATFORM_INTEGRATION,
    })),
  };
}
