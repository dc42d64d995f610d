'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { errorMessage } from '#app/lib/error-message.ts';
import type { PlanView } from '#server/members/workspaces/views.ts';

/** Puts the open workspace on another plan; answers a sentence when it was refused, else null. */
export async function changePlan(plan: PlanView['plan']): Promise<string | null> {
  try {
    await (await openScreens()).workspaces.changePlan({ plan });
  } catch (error) {
    return errorMessage(error);
  }
  // The frame shows the plan of each workspace, and every page what the plan includes.
  revalidatePath('/', 'layout');
  return null;
}
