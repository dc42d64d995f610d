import { z } from 'zod';
import { disconnect } from '#server/automation/connections/end-connection.ts';
import {
  addSampleIntegration,
  nextSample,
  PLATFORM_INTEGRATION,
  removeIntegration,
} from '#server/automation/connections/slots.ts';
import { keyInput } from '#server/contract/text-input.ts';
import { type ReadDb, runRead } from '#server/core/database/batch-reads.ts';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { Plan } from '#server/generated/prisma/enums.ts';
import { listAuditEntries } from '#server/screens/audit/list-audit-entries.ts';
import { listConnections } from '#server/screens/integrations/list-connections.ts';
import { listEndedConnections } from '#server/screens/integrations/list-ended-connections.ts';
import { listHooks } from '#server/screens/integrations/list-hooks.ts';
import type { IntegrationsView, SlotsView } from '#server/screens/integrations/views.ts';
import { adminProcedure, screenProcedure, screenRouter } from '#server/screens/procedures.ts';
import { PLANS } from '#server/teammates/plans.ts';
import { isAdmin } from '#server/teammates/roles.ts';

const historyPage = z.object({ cursor: keyInput.optional() });

/** Settings > Integrations: slots, connections, disconnecting and history. */
export const connectionsScreens = screenRouter({
  overview: screenProcedure.query(async ({ ctx: { workspace, user, reads } }): Promise<IntegrationsView> => {
    if (!isAdmin(workspace.role)) {
      const where = { workspaceId: workspace.id, userId: user.id, endedAt: null };
      const ownConnections = await db().connection.count({ where });
      return { kind: 'not_allowed', role: workspace.role, ownConnections };
    }
    const [slots, { items: connections, older }] = await Promise.all([
      listSlots(reads, workspace.id),
      listConnections(db(), { workspaceId: workspace.id }),
    ]);
    return { kind: 'shown', platformName: settings().PLATFORM_NAME, slots, connections, older };
  }),
  /** Returns whether this teammate can see the page, without a query. */
  mayManage: screenProcedure.query(({ ctx: { workspace } }) => isAdmin(workspace.role)),
  list: adminProcedure
    .input(historyPage)
    .query(({ ctx: { workspace }, input }) => listConnections(db(), { ...input, workspaceId: workspace.id })),
  listEnded: adminProcedure
    .input(historyPage)
    .query(({ ctx: { workspace }, input }) =>
      listEndedConnections(db(), { ...input, workspaceId: workspace.id }),
    ),
  listAudit: adminProcedure.input(historyPage).query(({ ctx: { workspace, reads }, input }) =>
    listAuditEntries(reads, {
      ...input,
      workspaceId: workspace.id,
      filter: { topics: ['connections', 'developers'] },
    }),
  ),
  removeIntegration: adminProcedure
    .input(z.object({ integrationId: keyInput }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      removeIntegration({ workspaceId: workspace.id, ...input, by: user }),
    ),
  addSampleIntegration: adminProcedure.mutation(({ ctx: { workspace, user } }) =>
    addSampleIntegration({ workspaceId: workspace.id, by: user }),
  ),
  disconnect: adminProcedure
    .input(z.object({ connectionId: keyInput }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      disconnect({ workspaceId: workspace.id, ...input, by: user }),
    ),
});

/** Returns the integration slots of a workspace and the integrations that use them, oldest first. */
function listSlots(db: ReadDb, workspaceId: string): Promise<SlotsView> {
  const statement = Prisma.sql`
    select w.plan, i.id, i.name, i.kind, i.created_at as "createdAt"
    from workspaces w left join integrations i on i.workspace_id = w.id
    where w.id = ${workspaceId}::uuid order by i.created_at`;
  return runRead(db, statement, slotsView);
}

type Integration = { id: string; name: string; kind: string; createdAt: string };
/** One integration, or a workspace without integrations. */
type Row = { plan: Plan } & (Integration | { id: null });

function slotsView(rows: Row[]): SlotsView {
  const [first] = rows;
  if (!first) throw new Error('The workspace was not found.');
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

/** The workspace's live and removed workflows. */
export const hooksScreens = screenRouter({
  list: adminProcedure.query(({ ctx: { workspace, reads } }) =>
    listHooks(reads, { workspaceId: workspace.id, platformName: settings().PLATFORM_NAME }),
  ),
});
