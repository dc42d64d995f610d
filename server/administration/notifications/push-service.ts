import { isIP } from 'node:net';
import { Agent, buildConnector, request } from 'undici';
import webPush from 'web-push';
import { pushKeys } from '#server/administration/notifications/push-keys.ts';
import { addressProblem, publicLookup } from '#server/automation/deliveries/public-address.ts';
import { settings } from '#server/core/env.ts';
import { counter } from '#server/core/metrics/declare-metrics.ts';
import { processState } from '#server/core/process-state.ts';

/** Timeout of a request to a push service, in ms. */
const TIMEOUT_MS = 10_000;
/** Time for which the push service keeps a message for a device that is off: half a day, in seconds. */
const TTL_SECONDS = 43_200;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** A subscription as the browser's `PushSubscription` describes it. */
export type PushTarget = { endpoint: string; p256dh: string; auth: string };

/** Content of a notification, encrypted for the device: the push service cannot read it (RFC 8291). */
export type PushContent = {
  id: string;
  /** A page of this workspace that has the focus shows it. Null: it is always shown. */
  workspaceId: string | null;
  title: string;
  body: string;
  /** Path that a click opens. */
  href: string;
  /** Unread notifications, for the badge. */
  unread: number;
};

/**
 * Result of a request. `gone`: the subscription has ended or belongs to other keys. `later`: the service may accept it
 * later. `refused`: it never will.
 */
export type PushOutcome = { kind: 'sent' | 'gone' | 'later' | 'refused'; code: string };

const requests = counter({
  name: 'inbox_push_requests_total',
  help: 'Push notifications that were sent to push services, by outcome.',
  labels: { outcome: ['sent', 'gone', 'later', 'refused'] satisfies PushOutcome['kind'][] },
});

const agent = processState(() => {
  const { PUSH_PRIVATE_HOSTS: privateHosts = [] } = settings();
  const connect = buildConnector({ timeout: TIMEOUT_MS, lookup: publicLookup(privateHosts) });
  return new Agent({
    keepAliveTimeout: 10_000,
    connect: (options, callback) => {
      const problem = addressProblem(options.hostname, privateHosts);
      return problem ? callback(problem, null) : connect(options, callback);
    },
  });
});

/**
 * Returns whether a push service can be at a URL, which comes from a browser: https in the public internet, without
 * credentials. The addresses of a name are checked at each request.
 */
export function isPushEndpoint(text: string): boolean {
  const url = URL.parse(text);
  if (url?.username !== '' || url.password !== '' || url.hash !== '') return false;
  const { PUSH_PRIVATE_HOSTS: privateHosts = [] } = settings();
  const { hostname, protocol } = url;
  const isPrivate = privateHosts.includes(hostname.replace(/^\[(.*)\]$/, '$1'));
  if (protocol !== 'https:' && !(protocol === 'http:' && isPrivate && LOOPBACK.test(hostname))) return false;
  const isName = isIP(hostname) === 0 && !hostname.startsWith('[');
  return isPrivate || ((!isName || hostname.includes('.')) && !addressProblem(hostname, privateHosts));
}

/**
 * Encrypts a message for a device (RFC 8291) and sends it to its push service (RFC 8030, signed by RFC 8292). Follows no
 * redirect and reads no response body.
 * @param topic a later message with the same topic replaces one that was not delivered yet
 */
export async function sendToPushService(
  target: PushTarget,
  content: PushContent,
  topic: string,
): Promise<PushOutcome> {
  const outcome = await send(target, content, topic);
  requests.inc({ outcome: outcome.kind });
  return outcome;
}

async function send(
  { endpoint, p256dh, auth }: PushTarget,
  content: PushContent,
  topic: string,
): Promise<PushOutcome> {
  if (!isPushEndpoint(endpoint)) return { kind: 'gone', code: 'not_allowed' };
  try {
    const details = webPush.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      JSON.stringify(content),
      { vapidDetails: { subject: contact(), ...pushKeys() }, TTL: TTL_SECONDS, urgency: 'high', topic },
    );
    const { statusCode, body } = await request(endpoint, {
      method: 'POST',
      headers: Object.entries(details.headers).flatMap(([name, value]) => [name, String(value)]),
      body: details.body,
      dispatcher: agent(),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // Frees the connection without reading what the service says.
    await body.dump({ limit: 16_384 });
    return outcomeOf(statusCode);
  } catch (error) {
    // Without the message, which may contain the endpoint.
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'failed';
    return { kind: 'later', code };
  }
}

function outcomeOf(status: number): PushOutcome {
  const code = String(status);
  if (status >= 200 && status < 300) return { kind: 'sent', code };
  // 403: the subscription was created for other keys. 401, as with a wrong clock here, is no fault of the device.
  if ([403, 404, 410].includes(status)) return { kind: 'gone', code };
  return { kind: status === 429 || status >= 500 ? 'later' : 'refused', code };
}

/** Returns the address of the operator that push services require (RFC 8292 §2.1). */
function contact(): string {
  const { BASE_URL, MAIL_FROM } = settings();
  return BASE_URL.startsWith('https:') ? BASE_URL : `mailto:${MAIL_FROM ?? 'operator@localhost'}`;
}
