'use server';

import { action } from '#app/data/action.ts';
import { textOf } from '#app/lib/form-state.ts';

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

/** Adds a teammate to a team, or removes them. */
export const setMember = action(TEAMS, async ({ teams }, id: string, userId: string, isMember: boolean) => {
  await (isMember ? teams.addMember({ id, userId }) : teams.removeMember({ id, userId }));
});
