import { toMinutes } from '#app/components/settings/workspace/sla-target.ts';
import { textOf } from '#app/lib/form-state.ts';

/** Form values. `closeSolvedAfterDays` null: never. SLA targets null: none. */
export type GeneralSettings = {
  name: string;
  assignOnReply: boolean;
  askForRating: boolean;
  closeSolvedAfterDays: number | null;
  slaFirstResponseMinutes: number | null;
  slaResolutionMinutes: number | null;
  /** ISO 3166-1 code, or null if not chosen. */
  country: string | null;
  searchLanguage: string;
};

/** Returns only the changed settings, so that saving does not overwrite a concurrent change. */
export function changedSettings(
  shown: GeneralSettings,
  submitted: GeneralSettings,
): Partial<Omit<GeneralSettings, 'country'>> & { country?: string } {
  const changed = Object.entries(submitted).filter(
    ([name, value]) => value !== Object.entries(shown).find(([other]) => other === name)?.[1],
  );
  return Object.fromEntries(changed);
}

export function parseSettings(form: FormData): GeneralSettings {
  const days = Number(textOf(form, 'closeSolvedAfterDays'));
  return {
    name: textOf(form, 'name').trim(),
    assignOnReply: form.has('assignOnReply'),
    askForRating: form.has('askForRating'),
    // The server refuses zero days, so use zero for empty and non-numeric input.
    closeSolvedAfterDays: form.has('closes') ? (Number.isFinite(days) ? days : 0) : null,
    slaFirstResponseMinutes: targetOf(form, 'slaFirstResponseMinutes'),
    slaResolutionMinutes: targetOf(form, 'slaResolutionMinutes'),
    country: textOf(form, 'country') || null,
    searchLanguage: textOf(form, 'searchLanguage'),
  };
}

function targetOf(form: FormData, name: string): number | null {
  return toMinutes({ amount: textOf(form, name), unit: textOf(form, `${name}Unit`) });
}
