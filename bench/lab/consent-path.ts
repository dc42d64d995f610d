import { PLATFORM } from '#test/servers/settings.ts';

/** The consent page, as the platform sends a teammate to it. */
export function consentPath(): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: PLATFORM.clientId,
    redirect_uri: PLATFORM.returnUrl,
    state: 'a state',
  });
  return `/oauth/authorize?${query}`;
}
