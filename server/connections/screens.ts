import { z } from 'zod';
import { addSampleIntegration } from '#server/connections/add-sample-integration.ts';
import { disconnect } from '#server/connections/disconnect.ts';
import { listAuditEntries } from '#server/connections/list-audit-entries.ts';
import { listConnections } from '#server/connections/list-connections.ts';
import { listEndedConnections } from '#server/connections/list-ended-connections.ts';
import { listSlots } from '#server/connections/list-slots.ts';
import { removeIntegration } from '#server/connections/remove-integration.ts';
import type { IntegrationsView } from '#server/connections/views.ts';
import { db } from '#server/db.ts';
import { settings } from '#server/env.ts';
import { Refusal } from '#server/errors.ts';
import { managingProcedure } from '#server/teammates/managing-procedure.ts';
import { isManaging } from '#server/teammates/roles.ts';
import { screenProcedure, screenRouter } from '#server/trpc.ts';

export type { AuditEntryView, EndedConnectionView, HistoryPage } from '#server/connections/history-views.ts';
export type { ConnectionView, IntegrationsView, SlotsView } from '#server/connections/views.ts';

const historyPage = z.object({ cursor: z.string().optional() });

/** The integrations screen: slots, connections, disconnecting, and what was before. */
export const connectionsScreens = screenRouter({
  overview: screenProcedure.query(async ({ ctx: { workspace, user } }): Promise<IntegrationsView> => {
    if (!isManaging(workspace.role)) {
      const where = { workspaceId: workspace.id, userId: user.id, endedAt: null };
      const ownConnections = await db().connection.count({ where });
      return { kind: 'not_allowed', role: workspace.role, ownConnections };
    }
    const [slots, connections] = await Promise.all([
      listSlots(db(), workspace.id),
      listConnections(db(), workspace.id),
    ]);
    return { kind: 'shown', platformName: settings().PLATFORM_NAME, slots, connections };
  }),
  /** Whether one may see any of this; nothing is read for it. */
  mayManage: screenProcedure.query(({ ctx: { workspace } }) => isManaging(workspace.role)),
  listEnded: managingProcedure
    .input(historyPage)
    .query(({ ctx: { workspace }, input }) =>
      listEndedConnections(db(), { ...input, workspaceId: workspace.id }),
    ),
  listAudit: managingProcedure
    .input(historyPage)
    .query(({ ctx: { workspace }, input }) =>
      listAuditEntries(db(), { ...input, workspaceId: workspace.id }),
    ),
  removeIntegration: managingProcedure
    .input(z.object({ integrationId: z.string() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      removeIntegration({ workspaceId: workspace.id, ...input, by: user }),
    ),
  addSampleIntegration: managingProcedure.mutation(({ ctx: { workspace, user } }) =>
    addSampleIntegration({ workspaceId: workspace.id, by: user }),
  ),
  disconnect: screenProcedure
    .input(z.object({ connectionId: z.string() }))
    .mutation(({ ctx: { workspace, user }, input }) => {
      if (!isManaging(workspace.role)) {
        throw new Refusal('forbidden', 'Only owners and admins of the workspace can disconnect.');
      }
      return disconnect({ workspaceId: workspace.id, connectionId: input.connectionId, by: user });
    }),
});
