'use server';

import { action, formAction } from '#app/data/action.ts';
import { textOf } from '#app/lib/form-state.ts';
import type { TeammateRow, TeammatesView } from '#server/screens/settings/people-views.ts';

const TEAMMATES = '/settings/teammates';

type Role = TeammatesView['invitableRoles'][number];

/** All roles, to validate the form value. The procedure checks who may invite to which role. */
const ROLES = ['owner', 'admin', 'agent', 'viewer'] as const satisfies Role[];

export const invite = formAction(
  { shows: TEAMMATES, fields: ['email', 'role', 'onlyAssigned'] },
  async ({ invitations }, form) => {
    const role = ROLES.find((each) => each === form.get('role')) ?? 'agent';
    const email = textOf(form, 'email').trim();
    const asked = form.get('onlyAssigned') !== null;
    const { onlyAssigned } = await invitations.invite({ email, role, onlyAssigned: asked });
    return { email, isLimitedAgain: onlyAssigned && !asked };
  },
);

export const resendInvitation = action(TEAMMATES, async ({ invitations }, invitationId: string) => {
  await invitations.resend({ invitationId });
});

export const withdrawInvitation = action(TEAMMATES, async ({ invitations }, invitationId: string) => {
  await invitations.withdraw({ invitationId });
});

export const setRole = action(TEAMMATES, async ({ teammates }, userId: string, role: TeammateRow['role']) => {
  await teammates.setRole({ userId, role });
});

/** Sets a teammate away until a day, or back (null). */
export const setAway = action(
  TEAMMATES,
  async ({ teammates }, userId: string, absence: { backOn: string | null; timeZone: string } | null) => {
    await teammates.setAway({ userId, absence });
  },
);

export const removeTeammate = action(TEAMMATES, async ({ teammates }, userId: string) => {
  await teammates.remove({ userId });
});

/** Removes the second factor of a teammate who has lost it. */
export const resetSecondFactor = action('/settings/teammates', async ({ teammates }, userId: string) => {
  await teammates.resetSecondFactor({ userId });
});
