'use server';

import {
  changedSettings,
  type GeneralSettings,
  parseSettings,
} from '#app/components/settings/workspace/changed-settings.ts';
import { action } from '#app/data/action.ts';
import { textOf } from '#app/lib/form-state.ts';
import type { Retention } from '#server/screens/settings/views.ts';

/**
 * Saves the changed settings. Returns all settings of the form. Revalidates all pages, because the shell shows the
 * workspace's name.
 */
export const saveSettings = action('/*', async ({ workspaces }, shown: GeneralSettings, form: FormData) => {
  const submitted = parseSettings(form);
  await workspaces.update(changedSettings(shown, submitted));
  return submitted;
});

/** Requires two-factor authentication from a day on, or no longer. */
export const requireSecondFactor = action('/*', async ({ workspaces }, form: FormData) => {
  await workspaces.requireSecondFactor({ from: textOf(form, 'from') });
});

export const stopRequiringSecondFactor = action('/*', async ({ workspaces }) => {
  await workspaces.requireSecondFactor({ from: null });
});

/** Sets what is deleted after how many days, for an owner who typed the name of the workspace. */
export const setRetention = action(
  '/settings/workspace',
  async ({ retention }, rule: Retention, typed: string) => {
    await retention.set({ retention: rule, typed });
  },
);

/** Starts an export of the workspace, for an owner who confirmed with their password. */
export const requestExport = action('/settings/workspace', async ({ workspaceExport }, form: FormData) => {
  await workspaceExport.request({ password: textOf(form, 'password') });
});
