'use server';

import {
  changedSettings,
  type GeneralSettings,
} from '#app/components/settings/workspace/changed-settings.ts';
import { action } from '#app/data/action.ts';
import { textOf } from '#app/lib/form-state.ts';

const SETTINGS = '/settings/workspace';

/** Saves what was changed of the settings that a form showed. The frame shows the name of the workspace. */
export const saveSettings = action('/*', async ({ workspaces }, shown: GeneralSettings, form: FormData) => {
  await workspaces.update(changedSettings(shown, form));
});

/** Adds an email domain. */
export const addDomain = action(SETTINGS, async ({ workspaces }, form: FormData) => {
  await workspaces.addDomain({ domain: textOf(form, 'domain') });
});

/** Verifies a domain; returns a sentence on what was found instead of its record, else null. */
export const verifyDomain = action(SETTINGS, async ({ workspaces }, domainId: string) => {
  const outcome = await workspaces.verifyDomain({ domainId });
  return outcome.kind === 'not_verified' ? outcome.message : null;
});

/** Removes a domain. */
export const removeDomain = action(SETTINGS, async ({ workspaces }, domainId: string) => {
  await workspaces.removeDomain({ domainId });
});

/** Adds a mailbox. */
export const addMailbox = action(SETTINGS, async ({ workspaces }, form: FormData) => {
  await workspaces.addMailbox({ name: textOf(form, 'name'), address: textOf(form, 'address') });
});

/** Renames a mailbox; returns its id. */
export const renameMailbox = action(SETTINGS, async ({ workspaces }, mailboxId: string, form: FormData) => {
  await workspaces.renameMailbox({ mailboxId, name: textOf(form, 'name') });
  return { id: mailboxId };
});

/** Makes a mailbox the default of the open workspace. */
export const chooseDefaultMailbox = action(SETTINGS, async ({ workspaces }, mailboxId: string) => {
  await workspaces.chooseDefaultMailbox({ mailboxId });
});

/** Removes a mailbox. */
export const removeMailbox = action(SETTINGS, async ({ workspaces }, mailboxId: string) => {
  await workspaces.removeMailbox({ mailboxId });
});

/** Deletes the open workspace, whose name was typed. */
export const deleteWorkspace = action(null, async ({ workspaces }, name: string) => {
  await workspaces.delete({ name });
});
