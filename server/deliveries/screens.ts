import { z } from 'zod';
import { db, inTransaction } from '#server/db.ts';
import { listDeliveries } from '#server/deliveries/list-deliveries.ts';
import { openDelivery } from '#server/deliveries/open-delivery.ts';
import { redeliver } from '#server/deliveries/redeliver.ts';
import { countFailed, redeliverFailed } from '#server/deliveries/redeliver-failed.ts';
import { OUTCOME_FILTERS } from '#server/deliveries/views.ts';
import { settings } from '#server/env.ts';
import { EVENT_KEYS } from '#server/events/catalogue.ts';
import { announce } from '#server/live/announce.ts';
import { managingProcedure } from '#server/teammates/managing-procedure.ts';
import { screenRouter } from '#server/trpc.ts';

export type { AttemptView, DeliveryPage, DeliveryRow, OpenDelivery } from '#server/deliveries/views.ts';

const filter = z.object({
  hookId: z.string().optional(),
  event: z.enum(EVENT_KEYS).optional(),
  outcome: z.enum(OUTCOME_FILTERS).optional(),
  since: z.date().optional(),
  until: z.date().optional(),
  cursor: z.string().optional(),
});

/** The log of deliveries, and sending again what it shows. For owners and admins. */
export const deliveriesScreens = screenRouter({
  list: managingProcedure
    .input(filter)
    .query(({ ctx: { workspace }, input }) => listDeliveries(db(), { ...input, workspaceId: workspace.id })),
  open: managingProcedure.input(z.object({ id: z.string() })).query(({ ctx: { workspace }, input }) =>
    openDelivery(db(), {
      workspaceId: workspace.id,
      id: input.id,
      platformName: settings().PLATFORM_NAME,
    }),
  ),
  countFailed: managingProcedure
    .input(z.object({ hookId: z.string().optional() }))
    .query(({ ctx: { workspace }, input }) => countFailed(db(), { ...input, workspaceId: workspace.id })),
  redeliver: managingProcedure
    .input(z.object({ id: z.string() }))
    .mutation(async ({ ctx: { workspace, user }, input }) => {
      const which = { workspaceId: workspace.id, id: input.id };
      await inTransaction((tx) =>
        redeliver(tx, { ...which, by: user, platformName: settings().PLATFORM_NAME }),
      );
      announce(workspace.id, 'deliveries');
    }),
  redeliverFailed: managingProcedure
    .input(z.object({ hookId: z.string().optional() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      inTransaction((tx) => redeliverFailed(tx, { ...input, workspaceId: workspace.id, by: user })),
    ),
});
