'use server';

import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/browser';
import { RedirectType, redirect } from 'next/navigation';
import { action, formAction } from '#app/data/action.ts';
import { redirectWithoutScript, setResponseCookies } from '#app/data/action-response.ts';
import { textOf } from '#app/lib/form-state.ts';
import { localPath } from '#app/lib/local-path.ts';
import { ScreenRefusal } from '#app/lib/outcome.ts';
import type { AfterSolving } from '#server/screens/inbox/views.ts';

/**
 * Signs in and returns the target path. The page loads the path in full, because a soft navigation would not apply
 * the stricter content policy of the consent page.
 */
export const signIn = formAction({ shows: null, fields: ['email'] }, async ({ session }, form) => {
  const given = { email: textOf(form, 'email').trim(), password: textOf(form, 'password') };
  if (given.email === '' || given.password === '') {
    throw new ScreenRefusal('Enter your email address and your password.');
  }
  const outcome = await session.signIn(given);
  if (outcome.kind === 'refused') throw new ScreenRefusal(outcome.message);
  await setResponseCookies(outcome.setCookies);
  return redirectWithoutScript(localPath(form.get('next')));
});

/** Returns whether the domain of an address has single sign-on. */
export const hasSignOn = action(
  null,
  async ({ session }, email: string) => (await session.signOns({ email })).length > 0,
);

/**
 * Finds the provider of an address. Returns the path that leads there, or the workspaces to choose from when their domains are the
 * same.
 */
export const findSignOn = formAction({ shows: null, fields: ['email'] }, async ({ session }, form) => {
  const email = textOf(form, 'email').trim();
  if (email === '') throw new ScreenRefusal('Enter your email address.');
  const next = `?next=${encodeURIComponent(localPath(form.get('next')))}`;
  const found = await session.signOns({ email });
  const choices = found.map(({ workspaceName, path }) => ({ workspaceName, path: path + next }));
  const [first, second] = choices;
  if (!first)
    throw new ScreenRefusal('Single sign-on is not set up for this address. Sign in with your password.');
  return { choices, ...(second ? { goTo: null } : await redirectWithoutScript(first.path)) };
});

/** Finishes a sign-in with a code of the second factor. Returns the target path, as `signIn` does. */
export const passSecondStep = formAction({ shows: null, fields: ['code'] }, async ({ session }, form) => {
  const given = { code: textOf(form, 'code'), trust: form.has('trust') };
  const { setCookies } = await session.passSecondStep(given);
  await setResponseCookies(setCookies);
  return redirectWithoutScript(localPath(form.get('next')));
});

/** Returns the options with which the browser asks for a passkey. */
export const startPasskeySignIn = action(null, async ({ session }) => {
  const { options, setCookies } = await session.startPasskeySignIn();
  await setResponseCookies(setCookies);
  return options;
});

/** Signs in with what the browser returned for a passkey. Returns the target path, as `signIn` does. */
export const signInWithPasskey = action(
  null,
  async ({ session }, response: AuthenticationResponseJSON, next: string) => {
    const { setCookies } = await session.signInWithPasskey(response);
    await setResponseCookies(setCookies);
    return localPath(next);
  },
);

/** Returns the options with which the browser asks for a passkey as the second step. */
export const startPasskeyStep = action(null, ({ session }) => session.startPasskeyStep());

/** Finishes a sign-in with a passkey. Returns the target path, as `signIn` does. */
export const passPasskeyStep = action(
  null,
  async ({ session }, response: AuthenticationResponseJSON, next: string) => {
    const { setCookies } = await session.passPasskeyStep(response);
    await setResponseCookies(setCookies);
    return localPath(next);
  },
);

/** Requests a password reset email. The outcome does not reveal whether the account exists. */
export const requestReset = formAction({ shows: null, fields: ['email'] }, async ({ account }, form) => {
  const email = textOf(form, 'email').trim();
  await account.askForReset({ email });
  return { email };
});

/** Sets a new password with the token of an emailed link, then redirects to sign-in. */
export const resetPassword = formAction(
  { shows: null, fields: ['newPassword', 'token'] },
  async ({ account }, form) => {
    const given = { token: textOf(form, 'token'), newPassword: textOf(form, 'newPassword') };
    const { setCookies } = await account.resetPassword(given);
    await setResponseCookies(setCookies);
    redirect('/sign-in?after=new-password', RedirectType.replace);
  },
);

export const changeName = formAction({ shows: '/*', fields: ['name'] }, async ({ account }, form) => {
  await account.changeName({ name: textOf(form, 'name') });
});

/** Changes what the inbox shows after the teammate solves a conversation. */
export const changeAfterSolving = action(
  '/settings/account',
  async ({ account }, afterSolving: AfterSolving) => {
    await account.changeAfterSolving({ afterSolving });
  },
);

/** Changes the teammate's email signature in a workspace. */
export const changeSignature = action(
  '/settings/account',
  async ({ account }, workspaceId: string, form: FormData) => {
    await account.changeSignature({ workspaceId, signature: textOf(form, 'signature') });
  },
);

/** Requests another address, which the response contains. */
export const changeAddress = formAction({ shows: null, fields: ['email', 'password'] }, ({ account }, form) =>
  account.changeAddress({ email: textOf(form, 'email'), password: textOf(form, 'password') }),
);

/** Follows the link of an email about another address and returns what it did. */
export const followAddressLink = formAction({ shows: null, fields: [] }, ({ account }, form) =>
  account.followAddressLink({ token: textOf(form, 'token') }),
);

export const changePassword = formAction(
  { shows: null, fields: ['password', 'newPassword'] },
  async ({ account }, form) => {
    const given = { password: textOf(form, 'password'), newPassword: textOf(form, 'newPassword') };
    const { setCookies } = await account.changePassword(given);
    await setResponseCookies(setCookies);
  },
);

/** Ends a session in another browser. */
export const endSession = action('/settings/account', async ({ account }, id: string) => {
  await account.endSession({ id });
});

/** Ends all sessions except the one in this browser. */
export const endOtherSessions = action('/settings/account', async ({ account }) => {
  await account.endOtherSessions();
});

/** Returns the secret of a second factor that is being set up. */
export const startSecondFactor = action(null, ({ account }, form: FormData) =>
  account.startSecondFactor({ password: textOf(form, 'password') }),
);

/** Turns the second factor on and returns its recovery codes. The page is refreshed after they were shown. */
export const enableSecondFactor = action(null, ({ account }, form: FormData) =>
  account.enableSecondFactor({ code: textOf(form, 'code') }),
);

/** Returns new recovery codes. The page is refreshed after they were shown. */
export const renewRecoveryCodes = action(null, ({ account }, form: FormData) =>
  account.renewRecoveryCodes({ password: textOf(form, 'password') }),
);

export const disableSecondFactor = action('/*', async ({ account }, form: FormData) => {
  await account.disableSecondFactor({ password: textOf(form, 'password') });
});

/** Returns the options with which the browser creates a passkey. */
export const startPasskey = action(null, ({ account }, password: string) =>
  account.startPasskey({ password }),
);

/** Adds a passkey. Returns recovery codes if it is the first second factor. The page is refreshed after they were shown. */
export const addPasskey = action(null, ({ account }, name: string, response: RegistrationResponseJSON) =>
  account.addPasskey({ name, response }),
);

export const removePasskey = action('/*', async ({ account }, id: string, form: FormData) => {
  await account.removePasskey({ id, password: textOf(form, 'password') });
});

/** Deletes the signed-in user's account and ends the session in this browser. */
export const deleteAccount = action(null, async ({ account }, form: FormData) => {
  const { setCookies } = await account.delete({ password: textOf(form, 'password') });
  await setResponseCookies(setCookies);
});
