import { settings } from '#server/core/env.ts';

/** The link with which someone accepts an invitation. */
export function invitationUrl(token: string): string {
  return `${settings().BASE_URL}/invitation?token=${encodeURIComponent(token)}`;
}
