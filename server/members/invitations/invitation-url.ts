import { settings } from '#server/ground/env.ts';

/** The link with which somebody accepts an invitation. */
export function invitationUrl(token: string): string {
  return `${settings().BASE_URL}/invitation?token=${encodeURIComponent(token)}`;
}
