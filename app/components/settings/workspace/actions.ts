'use server';

import {
  changedSettings,
  type GeneralSettings,
  parseSettings,
} from '#app/components/settings/workspace/changed-settings.ts';
import { action } from '#app/data/action.ts';

/**
 * Saves the changed settings. Returns all settings of the form. Revalidates all pages, because the shell shows the
 * workspace's name.
 */
export const saveSettings = action('/*', async ({ workspaces }, shown: GeneralSettings, form: FormData) => {
  const submitted = parseSettings(form);
  await workspaces.update(changedSettings(shown, submitted));
  return submitted;
});
