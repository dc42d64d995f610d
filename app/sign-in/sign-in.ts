'use server';

import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { openScreens } from '#app/data/open-screens.ts';
import { errorMessage } from '#app/lib/error-message.ts';
import { keepCookies } from '#app/lib/keep-cookies.ts';
import { localPath } from '#app/lib/local-path.ts';

/** How far the form got: `goTo` once signed in, else what is wrong; `attempt` tells one failure from the next. */
export type SignInState = { email: string; problem: string | null; goTo: string | null; attempt: number };

/**
 * Checks e-mail and password. Without JavaScript the answer is a redirect; with it the page is told where to go and
 * loads that anew, because the consent page has a stricter content policy than a page reached by soft navigation
 * would get.
 */
export async function signIn(before: SignInState, form: FormData): Promise<SignInState> {
  const email = textOf(form, 'email').trim();
  const next = localPath(form.get('next'));
  const problem = await problemWith(email, textOf(form, 'password'));
  if (problem) return { email, problem, goTo: null, attempt: before.attempt + 1 };
  const sentByScript = (await headers()).has('next-action');
  if (!sentByScript) redirect(next);
  return { email, problem: null, goTo: next, attempt: before.attempt };
}

async function problemWith(email: string, password: string): Promise<string | null> {
  if (email === '' || password === '') return 'Enter your e-mail address and your password.';
  try {
    const outcome = await (await openScreens()).session.signIn({ email, password });
    if (outcome.kind === 'refused') return outcome.message;
    await keepCookies(outcome.setCookies);
    return null;
  } catch (error) {
    return errorMessage(error);
  }
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
