import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import type { Platform } from '../platform.ts';
import { trimOldest } from '../state.ts';

const PENDING_CONNECTS_KEPT = 100;

/**
 * Begins a connect: the address of the service's consent page, with a fresh `state` and an S256 challenge.
 * The state belongs to the browser that asked, so that nobody can finish his own connect in another's browser.
 */
export async function startConnect(platform: Platform, browserId: string): Promise<URL> {
  const codeVerifier = randomPKCECodeVerifier();
  const state = randomState();
  platform.state.pendingConnects.set(state, { codeVerifier, browserId, startedAt: new Date() });
  trimOldest(platform.state.pendingConnects, PENDING_CONNECTS_KEPT);
  return buildAuthorizationUrl(platform.oauth, {
    redirect_uri: platform.settings.returnUrl.href,
    state,
    code_challenge: await calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  });
}
