'use server';

import { action } from '#app/data/action.ts';

const INTEGRATIONS = '/settings/integrations';

/** Ends a connection of the open workspace. */
export const disconnect = action(`${INTEGRATIONS}/*`, async ({ connections }, connectionId: string) => {
  await connections.disconnect({ connectionId });
});

/** In the demo, adds a sample integration to the open workspace. */
export const addSampleIntegration = action(INTEGRATIONS, async ({ connections }) => {
  await connections.addSampleIntegration();
});

/** Removes an integration of the open workspace. */
export const removeIntegration = action(INTEGRATIONS, async ({ connections }, integrationId: string) => {
  await connections.removeIntegration({ integrationId });
});

/** Sends a delivery again. */
export const redeliver = action(INTEGRATIONS, async ({ deliveries }, id: string) => {
  await deliveries.redeliver({ id });
});

/** Sends all deliveries again that failed lately, of one workflow or of all; returns how many. */
export const redeliverFailed = action(INTEGRATIONS, ({ deliveries }, hookId: string | undefined) =>
  deliveries.redeliverFailed({ hookId }),
);
