import { settings } from '#server/core/env.ts';

/** Prefix of the addresses at which a sign-in through the provider of a workspace starts. */
export const SIGN_ON_START_PATH = '/sso/start/';
/** Each workspace has its own callback, so that one provider cannot pass off its response as that of another (RFC 9700 §4.4). */
export const SIGN_ON_CALLBACK_PATH = '/sso/callback/';

/** Returns the redirect URI that the owner registers at the provider. */
export function redirectUriOf(workspaceId: string): string {
  return `${settings().BASE_URL}${SIGN_ON_CALLBACK_PATH}${workspaceId}`;
}
