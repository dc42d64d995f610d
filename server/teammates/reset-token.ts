import { AsyncLocalStorage } from 'node:async_hooks';

/** Better Auth swallows a fault of this callback, so it only hands the token over to its caller. */
const asking = new AsyncLocalStorage<{ token?: string }>();

/** Called by Better Auth with the token that it made. */
export function handOverResetToken(token: string): void {
  const asked = asking.getStore();
  if (asked) asked.token = token;
}

/**
 * Runs what makes Better Auth issue a token for a new password, and returns it; undefined: there is no such account.
 */
export async function catchResetToken(ask: () => Promise<unknown>): Promise<string | undefined> {
  const asked: { token?: string } = {};
  await asking.run(asked, ask);
  return asked.token;
}
