'use server';

import { action } from '#app/data/action.ts';
import type { PlanView } from '#server/screens/settings/views.ts';

/** Changes the plan of the open workspace. The frame shows the plan of each, and every page what it includes. */
export const changePlan = action('/*', async ({ workspaces }, plan: PlanView['plan']) => {
  await workspaces.changePlan({ plan });
});
