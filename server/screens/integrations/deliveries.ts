import { z } from 'zod';
import { redeliver } from '#server/automation/deliveries/redeliver.ts';
import { countFailed, redeliverFailed } from '#server/automation/deliveries/redeliver-failed.ts';
import { EVENT_KEYS } from '#server/contract/event-catalogue.ts';
import { keyInput } from '#server/contract/text-input.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { publish } from '#server/core/live/publish.ts';
import { getDelivery } from '#server/screens/integrations/get-delivery.ts';
import { listDeliveries } from '#server/screens/integrations/list-deliveries.ts';
import { OUTCOME_FILTERS } from '#server/screens/integrations/views.ts';
import { adminProcedure, screenRouter } from '#server/screens/procedures.ts';

const filter = z.object({
  hookId: keyInput.optional(),
  event: z.enum(EVENT_KEYS).optional(),
  outcome: z.enum(OUTCOME_FILTERS).optional(),
  since: z.date().optional(),
  until: z.date().optional(),
  cursor: keyInput.optional(),
});

/** The delivery log and redelivery, for owners and admins. */
export const deliveriesScreens = screenRouter({
  list: adminProcedure
    .input(filter)
    .query(({ ctx: { workspace, reads }, input }) =>
      listDeliveries(reads, { ...input, workspaceId: workspace.id }),
    ),
  get: adminProcedure.input(z.object({ id: keyInput })).query(({ ctx: { workspace }, input }) =>
    getDelivery(db(), {
      workspaceId: workspace.id,
      id: input.id,
      platformName: settings().PLATFORM_NAME,
    }),
  ),
  countFailed: adminProcedure
    .input(z.object({ hookId: keyInput.optional() }))
    .query(({ ctx: { workspace, reads }, input }) =>
      countFailed(reads, { ...input, workspaceId: workspace.id }),
    ),
  redeliver: adminProcedure
    .input(z.object({ id: keyInput }))
    .mutation(async ({ ctx: { workspace, user }, input }) => {
      const which = { workspaceId: workspace.id, id: input.id };
      await inTransaction((tx) =>
        redeliver(tx, { ...which, by: user, platformName: settings().PLATFORM_NAME }),
      );
      publish(workspace.id, 'deliveries');
    }),
  redeliverFailed: adminProcedure
    .input(z.object({ hookId: keyInput.optional() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      inTransaction((tx) => redeliverFailed(tx, { ...input, workspaceId: workspace.id, by: user })),
    ),
});
