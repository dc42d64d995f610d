'use server';

import { action } from '#app/data/action.ts';

const INTEGRATIONS = '/settings/integrations';

/** Disconnects a connection of the open workspace. */
export const disconnect = action(`${INTEGRATIONS}/*`, async ({ connections }, connectionId: string) => {
  await connections.disconnect({ connectionId });
});

/** Adds a sample integration to the open workspace, in the demo only. */
export const addSampleIntegration = action(INTEGRATIONS, async ({ connections }) => {
  await connections.addSampleIntegration();
});

export const removeIntegration = action(INTEGRATIONS, async ({ connections }, integrationId: string) => {
  await connections.removeIntegration({ integrationId });
});

export const redeliver = action(INTEGRATIONS, async ({ deliveries }, id: string) => {
  await deliveries.redeliver({ id });
});

/** Redelivers recently failed deliveries of one hook or of all, and returns their number. */
export const redeliverFailed = action(INTEGRATIONS, ({ deliveries }, hookId: string | undefined) =>
  deliveries.redeliverFailed({ hookId }),
);
