'use server';

import { action } from '#app/data/action.ts';
import { textOf } from '#app/lib/form-state.ts';
import type { TeamAssignment } from '#server/screens/settings/people-views.ts';

const TEAMS = '/settings/teams';

/** Creates a team, or renames the one with this id. */
export const saveTeam = action(TEAMS, async ({ teams }, id: string | null, form: FormData) => {
  const name = textOf(form, 'name');
  if (id === null) return { id: (await teams.create({ name })).id };
  await teams.rename({ id, name });
  return { id };
});

export const deleteTeam = action(TEAMS, async ({ teams }, id: string) => {
  await teams.delete({ id });
});

export const saveAssignment = action(TEAMS, async ({ teams }, id: string, form: FormData) => {
  const limit = textOf(form, 'limit').trim();
  const assignment = textOf(form, 'assignment') as TeamAssignment;
  await teams.setAssignment({ id, assignment, limit: limit === '' ? null : wholeNumber(limit) });
});

/** Returns 0, which is refused, for a text that is no whole number. */
function wholeNumber(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

/** Adds a teammate to a team, or removes them. */
export const setMember = action(TEAMS, async ({ teams }, id: string, userId: string, isMember: boolean) => {
  await (isMember ? teams.addMember({ id, userId }) : teams.removeMember({ id, userId }));
});
