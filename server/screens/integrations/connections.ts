import { z } from 'zod';
import { addSampleIntegration } from '#server/automation/connections/add-sample-integration.ts';
import { disconnect } from '#server/automation/connections/disconnect.ts';
import { removeIntegration } from '#server/automation/connections/remove-integration.ts';
import { db } from '#server/core/database/db.ts';
import { settings } from '#server/core/env.ts';
import { adminProcedure } from '#server/screens/admin-procedure.ts';
import { listAuditEntries } from '#server/screens/integrations/list-audit-entries.ts';
import { listConnections } from '#server/screens/integrations/list-connections.ts';
import { listEndedConnections } from '#server/screens/integrations/list-ended-connections.ts';
import { listSlots } from '#server/screens/integrations/list-slots.ts';
import type { IntegrationsView } from '#server/screens/integrations/views.ts';
import { screenProcedure, screenRouter } from '#server/screens/procedures.ts';
import { isAdmin } from '#server/teammates/roles.ts';

const historyPage = z.object({ cursor: z.string().optional() });

/** The integrations screen: slots, connections, disconnecting, and what was before. */
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
  /** Whether one may see any of this; nothing is read for it. */
  mayManage: screenProcedure.query(({ ctx: { workspace } }) => isAdmin(workspace.role)),
  list: adminProcedure
    .input(historyPage)
    .query(({ ctx: { workspace }, input }) => listConnections(db(), { ...input, workspaceId: workspace.id })),
  listEnded: adminProcedure
    .input(historyPage)
    .query(({ ctx: { workspace }, input }) =>
      listEndedConnections(db(), { ...input, workspaceId: workspace.id }),
    ),
  listAudit: adminProcedure
    .input(historyPage)
    .query(({ ctx: { workspace, reads }, input }) =>
      listAuditEntries(reads, { ...input, workspaceId: workspace.id }),
    ),
  removeIntegration: adminProcedure
    .input(z.object({ integrationId: z.string() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      removeIntegration({ workspaceId: workspace.id, ...input, by: user }),
    ),
  addSampleIntegration: adminProcedure.mutation(({ ctx: { workspace, user } }) =>
    addSampleIntegration({ workspaceId: workspace.id, by: user }),
  ),
  disconnect: adminProcedure
    .input(z.object({ connectionId: z.string() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      disconnect({ workspaceId: workspace.id, ...input, by: user }),
    ),
});
