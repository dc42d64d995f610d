'use server';

import { action } from '#app/data/action.ts';
import type { PlanView } from '#server/screens/settings/views.ts';

/** Changes the workspace's plan. Revalidates all pages, because the shell and every page depend on the plan. */
export const changePlan = action('/*', async ({ workspaces }, plan: PlanView['plan']) => {
  await workspaces.changePlan({ plan });
});
