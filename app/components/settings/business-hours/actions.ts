'use server';

import { action } from '#app/data/action.ts';
import type { BusinessHours } from '#server/screens/settings/views.ts';

/** Sets the hours of a team, or without an id of the workspace. */
export const saveHours = action(
  '/settings/business-hours',
  async ({ businessHours }, teamId: string | null, hours: BusinessHours | null) => {
    await businessHours.set({ teamId, hours });
  },
);
