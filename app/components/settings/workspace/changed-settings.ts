import { inMinutes } from '#app/components/settings/workspace/sla-target.ts';
import { textOf } from '#app/lib/form-state.ts';

/** Settings as a form shows them. `closeSolvedAfterDays` null: never; time limits null: none. */
export type GeneralSettings = {
  name: string;
  assignOnReply: boolean;
  askForRating: boolean;
  closeSolvedAfterDays: number | null;
  slaFirstResponseMinutes: number | null;
  slaResolutionMinutes: number | null;
};

/** What was changed of the settings shown. The rest is not sent, so that it does not undo what others changed meanwhile. */
export function changedSettings(shown: GeneralSettings, form: FormData): Partial<GeneralSettings> {
  const wanted = parseSettings(form);
  const changed = Object.entries(wanted).filter(
    ([name, value]) => value !== Object.entries(shown).find(([other]) => other === name)?.[1],
  );
  return Object.fromEntries(changed);
}

function parseSettings(form: FormData): GeneralSettings {
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
