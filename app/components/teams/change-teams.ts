'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { errorMessage } from '#app/lib/error-message.ts';
import { type NameState, saveName } from '#app/lib/name-state.ts';

/** Makes a team in the open workspace, or gives the one of that id another name. */
export async function saveTeam(id: string | null, before: NameState, form: FormData): Promise<NameState> {
  const { teams } = await openScreens();
  const after = await saveName(before, form, async (name) => {
    if (id === null) return teams.create({ name });
    await teams.rename({ id, name });
    return { id };
  });
  if (after.done) revalidatePath('/settings/teams');
  return after;
}

/** Deletes a team; answers a sentence when it was refused, else null. */
export async function deleteTeam(id: string): Promise<string | null> {
  const { teams } = await openScreens();
  return change(() => teams.delete({ id }));
}

/** Makes a teammate a member of a team, or takes them out of it; answers a sentence when it was refused, else null. */
export async function setMember(id: string, userId: string, isMember: boolean): Promise<string | null> {
  const { teams } = await openScreens();
  return change(() => (isMember ? teams.addMember({ id, userId }) : teams.removeMember({ id, userId })));
}

async function change(work: () => Promise<unknown>): Promise<string | null> {
  try {
    await work();
  } catch (error) {
    return errorMessage(error);
  }
  revalidatePath('/settings/teams');
  return null;
}
