'use server';

import { action } from '#app/data/action.ts';
import { textOf } from '#app/lib/form-state.ts';

const TEAMS = '/settings/teams';

/** Creates a team in the open workspace, or renames the one of that id. */
export const saveTeam = action(TEAMS, async ({ teams }, id: string | null, form: FormData) => {
  const name = textOf(form, 'name');
  if (id === null) return { id: (await teams.create({ name })).id };
  await teams.rename({ id, name });
  return { id };
});

/** Deletes a team. */
export const deleteTeam = action(TEAMS, async ({ teams }, id: string) => {
  await teams.delete({ id });
});

/** Makes a teammate a member of a team, or removes them from it. */
export const setMember = action(TEAMS, async ({ teams }, id: string, userId: string, isMember: boolean) => {
  await (isMember ? teams.addMember({ id, userId }) : teams.removeMember({ id, userId }));
});
