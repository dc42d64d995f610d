'use server';

import { RedirectType, redirect } from 'next/navigation';
import { openScreens } from '#app/data/open-screens.ts';
import { type FormState, failed, textOf } from '#app/lib/form-state.ts';
import { keepCookies } from '#app/lib/keep-cookies.ts';

/**
 * Makes the account of an invitation and signs it in. The inbox takes the place of the link in the browser's history,
 * as the link is used up. Should signing in be refused just then, the account is there: the sign-in page says so.
 */
export async function join(before: FormState, form: FormData): Promise<FormState> {
  const name = textOf(form, 'name');
  const given = { token: textOf(form, 'token'), name, password: textOf(form, 'password') };
  let goTo = '/inbox';
  try {
    const outcome = await (await openScreens()).invitations.join(given);
    if (outcome.kind === 'signed_in') await keepCookies(outcome.setCookies);
    else goTo = '/sign-in?after=joining';
  } catch (error) {
    return failed(before, error, { values: { name }, fields: ['name', 'password'] });
  }
  redirect(goTo, RedirectType.replace);
}
