'use server';

import {
  changedSettings,
  type GeneralSettings,
  parseSettings,
} from '#app/components/settings/workspace/changed-settings.ts';
import { action } from '#app/data/action.ts';
import { textOf } from '#app/lib/form-state.ts';

const SETTINGS = '/settings/workspace';

/**
 * Saves the changed settings. Returns all settings of the form. Revalidates all pages, because the shell shows the
 * workspace's name.
 */
export const saveSettings = action('/*', async ({ workspaces }, shown: GeneralSettings, form: FormData) => {
  const submitted = parseSettings(form);
  await workspaces.update(changedSettings(shown, submitted));
  return submitted;
});

/** Chooses the country of phone numbers without a country code. */
export const chooseCountry = action(null, ({ workspaces }, country: string) =>
  workspaces.update({ country }),
);

export const addDomain = action(SETTINGS, async ({ workspaces }, form: FormData) => {
  await workspaces.addDomain({ domain: textOf(form, 'domain') });
});

/** Verifies a domain. Returns null if verified, otherwise a sentence about the DNS records found. */
export const verifyDomain = action(SETTINGS, async ({ workspaces }, domainId: string) => {
  const outcome = await workspaces.verifyDomain({ domainId });
  return outcome.kind === 'not_verified' ? outcome.message : null;
});

export const removeDomain = action(SETTINGS, async ({ workspaces }, domainId: string) => {
  await workspaces.removeDomain({ domainId });
});

export const addMailbox = action(SETTINGS, async ({ workspaces }, form: FormData) => {
  await workspaces.addMailbox({ name: textOf(form, 'name'), address: textOf(form, 'address') });
});

export const renameMailbox = action(SETTINGS, async ({ workspaces }, mailboxId: string, form: FormData) => {
  await workspaces.renameMailbox({ mailboxId, name: textOf(form, 'name') });
  return { id: mailboxId };
});

export const chooseDefaultMailbox = action(SETTINGS, async ({ workspaces }, mailboxId: string) => {
  await workspaces.chooseDefaultMailbox({ mailboxId });
});

export const removeMailbox = action(SETTINGS, async ({ workspaces }, mailboxId: string) => {
  await workspaces.removeMailbox({ mailboxId });
});

/** Deletes the open workspace, whose name the user typed. */
export const deleteWorkspace = action(null, async ({ workspaces }, name: string) => {
  await workspaces.delete({ name });
});
