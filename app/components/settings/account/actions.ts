'use server';

import { RedirectType, redirect } from 'next/navigation';
import { action, formAction } from '#app/data/action.ts';
import { keepCookies, redirectWithoutScript } from '#app/data/action-response.ts';
import { textOf } from '#app/lib/form-state.ts';
import { localPath } from '#app/lib/local-path.ts';
import { ScreenRefusal } from '#app/lib/outcome.ts';

/**
 * Checks email and password; returns where to go. The page loads that in full, because the consent page has a stricter
 * content policy than a page reached by soft navigation would get.
 */
export const signIn = formAction({ shows: null, fields: ['email'] }, async ({ session }, form) => {
  const given = { email: textOf(form, 'email').trim(), password: textOf(form, 'password') };
  if (given.email === '' || given.password === '') {
    throw new ScreenRefusal('Enter your email address and your password.');
  }
  const outcome = await session.signIn(given);
  if (outcome.kind === 'refused') throw new ScreenRefusal(outcome.message);
  await keepCookies(outcome.setCookies);
  return redirectWithoutScript(localPath(form.get('next')));
});

/** Has a link to a new password mailed, if there is an account; the outcome does not say whether there is. */
export const askForReset = formAction({ shows: null, fields: ['email'] }, async ({ account }, form) => {
  const email = textOf(form, 'email').trim();
  await account.askForReset({ email });
  return { email };
});

/** Sets a new password with the token of a mailed link, and leads to signing in with it. */
export const resetPassword = formAction(
  { shows: null, fields: ['newPassword', 'token'] },
  async ({ account }, form) => {
    const given = { token: textOf(form, 'token'), newPassword: textOf(form, 'newPassword') };
    const { setCookies } = await account.resetPassword(given);
    await keepCookies(setCookies);
    redirect('/sign-in?after=new-password', RedirectType.replace);
  },
);

/** Changes the name of the signed-in teammate. */
export const changeName = formAction({ shows: '/*', fields: ['name'] }, async ({ account }, form) => {
  await account.changeName({ name: textOf(form, 'name') });
});

/** Changes the signature of the teammate's emails in a workspace. */
export const changeSignature = action(
  '/settings/account',
  async ({ account }, workspaceId: string, form: FormData) => {
    await account.changeSignature({ workspaceId, signature: textOf(form, 'signature') });
  },
);

/** Changes the password of the signed-in teammate. */
export const changePassword = formAction(
  { shows: null, fields: ['password', 'newPassword'] },
  async ({ account }, form) => {
    const given = { password: textOf(form, 'password'), newPassword: textOf(form, 'newPassword') };
    const { setCookies } = await account.changePassword(given);
    await keepCookies(setCookies);
  },
);

/** Deletes the account of the signed-in teammate, and ends the session in this browser. */
export const deleteAccount = action(null, async ({ account }, form: FormData) => {
  const { setCookies } = await account.delete({ password: textOf(form, 'password') });
  await keepCookies(setCookies);
});
