import { expect, test } from 'vitest';
import {
  changedSettings,
  type GeneralSettings,
  parseSettings,
} from '#app/components/settings/workspace/changed-settings.ts';

const shown: GeneralSettings = {
  name: 'Acme',
  assignOnReply: true,
  askForRating: false,
  closeSolvedAfterDays: null,
  slaFirstResponseMinutes: 120,
  slaResolutionMinutes: null,
  country: 'DE',
  searchLanguage: 'german',
};
const submitted = {
  name: ' Acme ',
  assignOnReply: 'on',
  closes: 'on',
  closeSolvedAfterDays: '30',
  slaFirstResponseMinutes: '2',
  slaFirstResponseMinutesUnit: 'hours',
  country: 'DE',
  searchLanguage: 'german',
};

test('only settings that differ from what the form showed are sent, so that a colleague’s change stays', () => {
  expect(changedSettings(shown, parseSettings(formOf(submitted)))).toEqual({ closeSolvedAfterDays: 30 });
});

test('after saving, the form sends none of the saved settings again', () => {
  const saved = parseSettings(formOf(submitted));
  expect(changedSettings(saved, parseSettings(formOf(submitted)))).toEqual({});
  const { assignOnReply: _, ...others } = submitted;
  expect(changedSettings(saved, parseSettings(formOf(others)))).toEqual({ assignOnReply: false });
});

function formOf(values: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  return form;
}
