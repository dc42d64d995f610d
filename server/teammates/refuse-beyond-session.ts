import { Refusal } from '#server/core/errors.ts';
import type { SignedIn } from '#server/teammates/signed-in.ts';

type Session = Pick<SignedIn, 'isSingleSignOn' | 'lockedWorkspaces'>;

/**
 * Returns why a session must not change what applies in all workspaces of its teammate, or null. Whoever runs the identity provider of
 * one workspace can open a session as any person in it, and must not reach that person's other workspaces.
 */
export function problemBeyondSession({ isSingleSignOn, lockedWorkspaces }: Session): string | null {
  if (!isSingleSignOn || lockedWorkspaces.length === 0) return null;
  const names = new Intl.ListFormat('en-GB').format(lockedWorkspaces.map(({ name }) => name));
  return `Your account is also in ${names}, which this session does not open. To see or change what applies there too, sign out and sign in with your password or a passkey.`;
}

/** @throws Refusal when the session must not change what applies in all workspaces of its teammate */
export function refuseBeyondSession(session: Session): void {
  const problem = problemBeyondSession(session);
  if (problem) throw new Refusal('forbidden', problem);
}
