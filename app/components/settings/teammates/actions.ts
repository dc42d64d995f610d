'use server';

import { action, formAction } from '#app/data/action.ts';
import { textOf } from '#app/lib/form-state.ts';
import type { TeammateRow, TeammatesView } from '#server/screens/settings/views.ts';

const TEAMMATES = '/settings/teammates';

type Role = TeammatesView['invitableRoles'][number];

/** Every role, so that what a form sends is one of them; who may invite to which is for the procedure to say. */
const ROLES = ['owner', 'admin', 'agent', 'viewer'] as const satisfies Role[];

/** Invites a person to the open workspace. */
export const invite = formAction(
  { shows: TEAMMATES, fields: ['email', 'role'] },
  async ({ invitations }, form) => {
    const role = ROLES.find((each) => each === form.get('role')) ?? 'agent';
    await invitations.invite({ email: textOf(form, 'email'), role });
  },
);

/** Sends an invitation again. */
export const resendInvitation = action(TEAMMATES, async ({ invitations }, invitationId: string) => {
  await invitations.resend({ invitationId });
});

/** Withdraws an invitation. */
export const withdrawInvitation = action(TEAMMATES, async ({ invitations }, invitationId: string) => {
  await invitations.withdraw({ invitationId });
});

/** Changes the role of a teammate. */
export const setRole = action(TEAMMATES, async ({ teammates }, userId: string, role: TeammateRow['role']) => {
  await teammates.setRole({ userId, role });
});

/** Removes a teammate from the open workspace. */
export const removeTeammate = action(TEAMMATES, async ({ teammates }, userId: string) => {
  await teammates.remove({ userId });
});

/** Takes the signed-in teammate out of the open workspace. */
export const leave = action(null, async ({ teammates }) => {
  await teammates.leave();
});
