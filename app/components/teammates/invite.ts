'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { type FormState, failed, succeeded, textOf } from '#app/lib/form-state.ts';
import type { TeammatesView } from '#server/people/teammates/views.ts';

type Role = TeammatesView['invitableRoles'][number];

/** Every role, so that what a form sends is one of them; who may invite to which is the procedure's to say. */
const ROLES = ['owner', 'admin', 'agent', 'viewer'] as const satisfies Role[];

/** Invites somebody to the open workspace. */
export async function invite(before: FormState, form: FormData): Promise<FormState> {
  const email = textOf(form, 'email');
  const role = ROLES.find((each) => each === form.get('role')) ?? 'agent';
  try {
    await (await openScreens()).invitations.invite({ email, role });
  } catch (error) {
    return failed(before, error, { values: { email, role }, fields: ['email'] });
  }
  revalidatePath('/settings/teammates');
  return succeeded(before);
}
