'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { doneAfter, type FormState, refusedAfter, textOf } from '#app/lib/form-state.ts';

/** Settings as a form shows them. `closeSolvedAfterDays` null: never. */
export type GeneralSettings = { name: string; assignOnReply: boolean; closeSolvedAfterDays: number | null };

/**
 * Saves what was changed of the settings that a form showed. The rest is not sent, so that it does not undo what
 * somebody else changed meanwhile.
 */
export async function saveSettings(
  shown: GeneralSettings,
  before: FormState,
  form: FormData,
): Promise<FormState> {
  const wanted = readSettings(form);
  try {
    await (await openScreens()).workspaces.update({
      ...(wanted.name === shown.name ? {} : { name: wanted.name }),
      ...(wanted.assignOnReply === shown.assignOnReply ? {} : { assignOnReply: wanted.assignOnReply }),
      ...(wanted.closeSolvedAfterDays === shown.closeSolvedAfterDays
        ? {}
        : { closeSolvedAfterDays: wanted.closeSolvedAfterDays }),
    });
  } catch (error) {
    const fields = ['name', 'closeSolvedAfterDays'];
    const values = Object.fromEntries(fields.map((field) => [field, textOf(form, field)]));
    return refusedAfter(before, error, { values, fields });
  }
  // The frame shows the name of the workspace.
  revalidatePath('/', 'layout');
  return doneAfter(before);
}

function readSettings(form: FormData): GeneralSettings {
  const days = Number(textOf(form, 'closeSolvedAfterDays'));
  return {
    name: textOf(form, 'name'),
    assignOnReply: form.has('assignOnReply'),
    // An empty field, and what is no number, is refused like zero days.
    closeSolvedAfterDays: form.has('closes') ? (Number.isFinite(days) ? days : 0) : null,
  };
}
