'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { type FormState, failed, succeeded, textOf } from '#app/lib/form-state.ts';
import { inMinutes } from '#app/lib/time-limit.ts';

/** Settings as a form shows them. `closeSolvedAfterDays` null: never; time limits null: none. */
export type GeneralSettings = {
  name: string;
  assignOnReply: boolean;
  askForRating: boolean;
  closeSolvedAfterDays: number | null;
  slaFirstResponseMinutes: number | null;
  slaResolutionMinutes: number | null;
};

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
      ...(wanted.askForRating === shown.askForRating ? {} : { askForRating: wanted.askForRating }),
      ...(wanted.closeSolvedAfterDays === shown.closeSolvedAfterDays
        ? {}
        : { closeSolvedAfterDays: wanted.closeSolvedAfterDays }),
      ...(wanted.slaFirstResponseMinutes === shown.slaFirstResponseMinutes
        ? {}
        : { slaFirstResponseMinutes: wanted.slaFirstResponseMinutes }),
      ...(wanted.slaResolutionMinutes === shown.slaResolutionMinutes
        ? {}
        : { slaResolutionMinutes: wanted.slaResolutionMinutes }),
    });
  } catch (error) {
    const fields = ['name', 'closeSolvedAfterDays', 'slaFirstResponseMinutes', 'slaResolutionMinutes'];
    const typed = [...fields, 'slaFirstResponseMinutesUnit', 'slaResolutionMinutesUnit'];
    const values = Object.fromEntries(typed.map((field) => [field, textOf(form, field)]));
    return failed(before, error, { values, fields });
  }
  // The frame shows the name of the workspace.
  revalidatePath('/', 'layout');
  return succeeded(before);
}

function readSettings(form: FormData): GeneralSettings {
  const days = Number(textOf(form, 'closeSolvedAfterDays'));
  return {
    name: textOf(form, 'name'),
    assignOnReply: form.has('assignOnReply'),
    askForRating: form.has('askForRating'),
    // An empty field, and what is no number, is refused like zero days.
    closeSolvedAfterDays: form.has('closes') ? (Number.isFinite(days) ? days : 0) : null,
    slaFirstResponseMinutes: limitOf(form, 'slaFirstResponseMinutes'),
    slaResolutionMinutes: limitOf(form, 'slaResolutionMinutes'),
  };
}

function limitOf(form: FormData, name: string): number | null {
  return inMinutes({ amount: textOf(form, name), unit: textOf(form, `${name}Unit`) });
}
