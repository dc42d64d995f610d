import { nextSample } from '#server/automation/connections/add-sample-integration.ts';
import { PLATFORM_INTEGRATION } from '#server/automation/connections/slots.ts';
import { ask, type ReadDb, read } from '#server/core/database/reads.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { Plan } from '#server/generated/prisma/enums.ts';
import type { SlotsView } from '#server/screens/integrations/views.ts';
import { PLANS } from '#server/teammates/plans.ts';

/** The integration slots of a workspace and what uses them, oldest first. */
export function listSlots(db: ReadDb, workspaceId: string): Promise<SlotsView> {
  const statement = Prisma.sql`
    select w.plan, i.id, i.name, i.kind, i.created_at as "createdAt"
    from workspaces w left join integrations i on i.workspace_id = w.id
    where w.id = ${workspaceId}::uuid order by i.created_at`;
  return ask(db, read(statement, slotsView));
}

type Integration = { id: string; name: string; kind: string; createdAt: string };
/** One integration, or a workspace without any. */
type Row = { plan: Plan } & (Integration | { id: null });

function slotsView(rows: Row[]): SlotsView {
  const [first] = rows;
  if (!first) throw new Error('The workspace is gone.');
  const { plan } = first;
  const integrations = rows.flatMap((row) => (row.id === null ? [] : row));
  const { planName, slots } = PLANS[plan];
  return {
    planName,
    limit: slots,
    used: integrations.length,
    mayAddSample: nextSample(integrations) !== undefined,
    integrations: integrations.map(({ id, name, kind, createdAt }) => ({
      id,
      name,
      since: new Date(createdAt),
      isPlatform: kind === PLATFORM_INTEGRATION,
    })),
  };
}
