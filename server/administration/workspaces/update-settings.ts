import { isCountry } from '#server/contacts/countries.ts';
import { parseName } from '#server/contract/parse-name.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { type FieldErrors, invalid } from '#server/core/errors.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { isSearchLanguage } from '#server/core/search-languages.ts';
import type { Plan } from '#server/generated/prisma/enums.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { asManager, asOwner } from '#server/teammates/require-role.ts';

/** Maximum of the setting that closes solved conversations automatically, in days. */
export const CLOSE_AFTER_DAYS_MAX = 365;

/** Maximum SLA target in minutes: 90 days. */
const SLA_MINUTES_MAX = 129_600;

/** Undefined leaves a setting unchanged. Null turns off `closeSolvedAfterDays` or an SLA target. */
type SettingsChanges = {
  name?: string | undefined;
  assignOnReply?: boolean | undefined;
  /** Asks contacts of solved email conversations for a rating. */
  askForRating?: boolean | undefined;
  closeSolvedAfterDays?: number | null | undefined;
  /** Applies to conversations that start later. */
  slaFirstResponseMinutes?: number | null | undefined;
  slaResolutionMinutes?: number | null | undefined;
  aiAgentEnabled?: boolean | undefined;
  /** ISO 3166-1 code of the country of phone numbers without a country code. A job then computes their keys again. */
  country?: string | undefined;
  /** Language of `SEARCH_LANGUAGES`. A job then computes the stems of stored messages again. */
  searchLanguage?: string | undefined;
};

/**
 * Changes settings of a workspace, all or nothing.
 * @throws Refusal when `by` is neither owner nor admin, or a value is invalid
 */
export async function updateSettings(update: {
  workspaceId: string;
  changes: SettingsChanges;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, by } = update;
  const data = parseChanges(update.changes);
  if (Object.keys(data).length === 0) return;
  await asManager(update, async (tx) => {
    await tx.workspace.update({ where: { id: workspaceId }, data, select: { id: true } });
    if (data.searchLanguage !== undefined)
      await queueJob(tx, 'update-search', { workspaceId }, { queue: 'update-search' });
    const changed = Object.fromEntries(
      Object.entries(data).map(([field, value]) => [field, String(value ?? 'never')]),
    );
    await addAuditEntry(tx, { workspaceId, kind: 'settings_changed', by, data: changed });
  });
}

function parseChanges(changes: SettingsChanges) {
  const { name, assignOnReply, askForRating, aiAgentEnabled, country, searchLanguage } = changes;
  if (country !== undefined && !isCountry(country))
    throw invalid({ country: ['Choose a country from the list.'] });
  if (searchLanguage !== undefined && !isSearchLanguage(searchLanguage))
    throw invalid({ searchLanguage: ['Choose a language from the list.'] });
  const numbers = parseNumbers(changes);
  return {
    ...(name === undefined ? {} : { name: parseName(name, { field: 'name', label: 'workspace name' }) }),
    ...(assignOnReply === undefined ? {} : { assignOnReply }),
    ...(askForRating === undefined ? {} : { askForRating }),
    ...(aiAgentEnabled === undefined ? {} : { aiAgentEnabled }),
    ...(country === undefined ? {} : { country }),
    ...(searchLanguage === undefined ? {} : { searchLanguage }),
    ...numbers,
  };
}

/** Upper bounds of the numeric settings (the lower bound is 1) and the error messages. */
const NUMBERS = {
  closeSolvedAfterDays: {
    max: CLOSE_AFTER_DAYS_MAX,
    problem: `Give a whole number of days from 1 to ${CLOSE_AFTER_DAYS_MAX}, or turn this off.`,
  },
  slaFirstResponseMinutes: {
    max: SLA_MINUTES_MAX,
    problem: `Give a whole number from 1 minute to ${SLA_MINUTES_MAX / 60} hours, or leave it empty.`,
  },
  slaResolutionMinutes: {
    max: SLA_MINUTES_MAX,
    problem: `Give a whole number from 1 minute to ${SLA_MINUTES_MAX / 60} hours, or leave it empty.`,
  },
};

type NumberField = keyof typeof NUMBERS;

/**
 * Returns the numeric settings to change.
 * @throws Refusal with a message for each invalid number
 */
function parseNumbers(changes: SettingsChanges): { [Field in NumberField]?: number | null } {
  const read: { [Field in NumberField]?: number | null } = {};
  const errors: FieldErrors = {};
  for (const field of ['closeSolvedAfterDays', 'slaFirstResponseMinutes', 'slaResolutionMinutes'] as const) {
    const value = changes[field];
    if (value === undefined) continue;
    const { max, problem } = NUMBERS[field];
    if (value === null || (Number.isInteger(value) && value >= 1 && value <= max)) read[field] = value;
    else errors[field] = [problem];
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return read;
}

/**
 * Changes the plan of a workspace. Existing integrations stay, even if the new plan has fewer slots; no new
 * one can connect until a slot is free (docs/rulings.md 4.2).
 * @throws Refusal unless `by` is an owner
 */
export async function changePlan(change: { workspaceId: string; plan: Plan; by: Teammate }): Promise<void> {
  const { workspaceId, plan, by } = change;
  await asOwner(change, async (tx) => {
    const where = { id: workspaceId };
    const { plan: from } = await tx.workspace.findUniqueOrThrow({ where, select: { plan: true } });
    if (from === plan) return;
    await tx.workspace.update({ where, data: { plan }, select: { id: true } });
    await addAuditEntry(tx, { workspaceId, kind: 'plan_changed', by, data: { from, to: plan } });
  });
}
