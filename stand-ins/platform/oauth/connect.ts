import { randomUUID } from 'node:crypto';
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { log } from '../../http/log.ts';
import type { Platform } from '../platform.ts';
import { callService } from '../service/call-service.ts';
import { testConnection } from '../service/test-connection.ts';
import { type Connection, type Notice, type PendingConnect, trimOldest } from '../state.ts';
import { explainOAuthError } from './explain-oauth-error.ts';

const PENDING_MINUTES = 15;

type ConnectOutcome = { connection: Connection | null; notice: Omit<Notice, 'id'> };

/**
 * Finishes a connection attempt on the return address: checks the state, exchanges the code with its verifier (RFC
 * 6749 §4.1.3, RFC 7636 §4.5), and requests `/me` for the label.
 * @param query query of the return address
 */
export async function finishConnect(
  platform: Platform,
  query: URLSearchParams,
  browserId: string | undefined,
): Promise<ConnectOutcome> {
  const { serviceName } = platform.settings;
  const state = query.get('state') ?? '';
  const pending = consumePending(platform, state, browserId);
  if (!pending) {
    log('oauth.foreign_state');
    return refused(
      'Not started in this browser',
      'This browser did not start this connection, or the response arrived too late. Nothing was saved. Choose Connect to start again.',
    );
  }
  const currentUrl = new URL(platform.settings.returnUrl);
  currentUrl.search = query.toString();
  try {
    const tokens = await authorizationCodeGrant(platform.oauth, currentUrl, {
      expectedState: state,
      pkceCodeVerifier: pending.codeVerifier,
    });
    if (!tokens.refresh_token) {
      return refused('Connection failed', `${serviceName} sent no refresh token.`);
    }
    const connection = storeConnection(platform, tokens.access_token, tokens.refresh_token);
    await testConnection(platform, connection);
    await suggestRecords(platform, connection);
    platform.stream.send('changed', {});
    log('oauth.connected', { connection: connection.id, service_connection: connection.me?.id ?? null });
    return connection.health === 'connected'
      ? { connection, notice: { tone: 'good', title: 'Connected', text: `${connection.label} is ready.` } }
      : {
          connection,
          notice: {
            tone: 'bad',
            title: 'Connected, but the test failed',
            text: connection.message ?? `${serviceName} did not say why.`,
          },
        };
  } catch (error) {
    const problem = await explainOAuthError(error);
    log('oauth.refused', { status: problem.status, code: problem.code });
    if (problem.code === 'access_denied') {
      return refused(
        'Not connected',
        `You did not allow access on ${serviceName}’s page. Nothing was saved.`,
      );
    }
    const code = problem.code && problem.code !== problem.message ? ` (${problem.code})` : '';
    return refused('Connection failed', `${serviceName} responded: ${problem.message}${code}`);
  }
}

/** Consumes a pending connection attempt: valid once, only for the browser that started it, and for 15 minutes. */
function consumePending(
  { state: memory }: Platform,
  state: string,
  browserId: string | undefined,
): PendingConnect | null {
  const pending = memory.pendingConnects.get(state);
  if (!pending || pending.browserId !== browserId) return null;
  memory.pendingConnects.delete(state);
  return Date.now() - pending.startedAt.getTime() < PENDING_MINUTES * 60_000 ? pending : null;
}

function storeConnection({ state }: Platform, accessToken: string, refreshToken: string): Connection {
  const connection: Connection = {
    id: randomUUID(),
    label: 'Unnamed connection',
    health: 'connected',
    message: null,
    me: null,
    connectedAt: new Date(),
    accessToken,
    refreshToken,
    refreshCount: 0,
    refreshing: null,
    seenConversations: [],
    seenContacts: [],
  };
  state.connections.set(connection.id, connection);
  return connection;
}

/** Loads the newest conversations, so that forms suggest their ids from the start. */
async function suggestRecords(platform: Platform, connection: Connection): Promise<void> {
  if (connection.health !== 'connected') return;
  await callService(platform, connection, { method: 'GET', path: '/triggers/conversation.created/samples' });
}

function refused(title: string, text: string): ConnectOutcome {
  return { connection: null, notice: { tone: 'bad', title, text } };
}

const PENDING_CONNECTS_MAX = 100;

/**
 * Starts a connection attempt: returns the URL of the service's consent page, with a fresh `state` and an S256
 * challenge. The state is bound to the browser, so an attacker cannot finish their own attempt in another user's
 * browser.
 */
export async function startConnect(platform: Platform, browserId: string): Promise<URL> {
  const codeVerifier = randomPKCECodeVerifier();
  const state = randomState();
  platform.state.pendingConnects.set(state, { codeVerifier, browserId, startedAt: new Date() });
  trimOldest(platform.state.pendingConnects, PENDING_CONNECTS_MAX);
  return buildAuthorizationUrl(platform.oauth, {
    redirect_uri: platform.settings.returnUrl.href,
    state,
    code_challenge: await calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  });
}
