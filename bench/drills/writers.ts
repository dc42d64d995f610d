import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { machineMs } from '#bench/lab/clock.ts';
import type { RequestStage } from '#bench/lab/request-stage.ts';
import { API_PATH } from '#server/core/env.ts';

/**
 * A requested change and its response: a status, or a broken connection. `isClear`: the response was the
 * change or an error in the API's format.
 */
export type RequestedChange = {
  kind: 'tag' | 'conversation';
  /** Unique tag or subject. */
  mark: string;
  status: number | 'broken off';
  isClear: boolean;
  /** The server of the last response, and how often the request was sent. */
  url: string;
  tries: number;
  /** Machine time of the first request and of the last response, in ms. */
  beganAt: number;
  answeredAt: number;
};

export type Writers = {
  requested: RequestedChange[];
  /** Waits for the responses to requests in flight. */
  stop(): Promise<RequestedChange[]>;
};

const RESPONSE_MS = 40_000;
const RETRY_PAUSE_MS = 500;
/** Incompressible text that needs several database pages. */
const LONG = randomBytes(4_500).toString('base64');
let made = 0;

/**
 * Starts clients that send one change after the other through the API: tags on conversations, and a new
 * conversation for every fourth change.
 * @param urls returns the URLs of the running servers
 * @param retryMs time for which a client repeats a request with its `Idempotency-Key`, at the next server, after a `5xx`, `409` or broken
 *   connection
 */
export function startWriters(
  stage: RequestStage,
  urls: () => string[],
  { writers = 4, pauseMs = 10, retryMs = 0 }: { writers?: number; pauseMs?: number; retryMs?: number } = {},
): Writers {
  const dispatcher = new Agent({
    connections: writers,
    headersTimeout: RESPONSE_MS,
    bodyTimeout: RESPONSE_MS,
  });
  const requested: RequestedChange[] = [];
  let isOver = false;
  const write = async () => {
    while (!isOver) {
      made += 1;
      const n = made;
      const beganAt = machineMs();
      for (let tries = 1; ; tries += 1) {
        const running = urls();
        const url = running[(n + tries) % running.length];
        if (url === undefined) break;
        const change = { ...(await sendRequest(dispatcher, url, stage, n, retryMs > 0)), beganAt, tries };
        if (!isTemporary(change) || machineMs() - beganAt > retryMs) {
          requested.push(change);
          break;
        }
        await sleep(RETRY_PAUSE_MS);
      }
      await sleep(pauseMs);
    }
  };
  const all = Promise.all(Array.from({ length: writers }, write));
  return {
    requested,
    stop: async () => {
      isOver = true;
      await all;
      await dispatcher.destroy();
      return requested;
    },
  };
}

async function sendRequest(
  dispatcher: Agent,
  url: string,
  { connections, conversations }: RequestStage,
  n: number,
  isRepeatable: boolean,
): Promise<Omit<RequestedChange, 'beganAt' | 'tries'>> {
  const kind: RequestedChange['kind'] = n % 4 === 0 ? 'conversation' : 'tag';
  const mark = `drill-${n}`;
  const body =
    kind === 'tag'
      ? { tags: [mark] }
      : {
          to_email: `${mark}@elsewhere.test`,
          to_name: 'Ada Lovelace',
          subject: mark,
          content: `${mark} ${LONG}`,
        };
  const path =
    kind === 'tag' ? `/conversations/${conversations[n % conversations.length]}/tags` : '/conversations';
  const answered = (status: RequestedChange['status'], isClear: boolean) => ({
    kind,
    mark,
    status,
    isClear,
    url,
    answeredAt: machineMs(),
  });
  try {
    const response = await request(`${url}${API_PATH}${path}`, {
      dispatcher,
      method: 'POST',
      headers: {
        authorization: `Bearer ${connections[n % connections.length]?.accessToken}`,
        'content-type': 'application/json',
        ...(isRepeatable ? { 'idempotency-key': mark } : {}),
      },
      body: JSON.stringify(body),
    });
    const { statusCode: status } = response;
    const text = await response.body.text();
    return answered(status, status < 300 ? text.includes(`"${mark}"`) : hasErrorFormat(text));
  } catch {
    return answered('broken off', false);
  }
}

/** Returns whether an error body has the API's format: `{ message }`. */
function hasErrorFormat(text: string): boolean {
  try {
    return typeof (JSON.parse(text) as { message?: unknown }).message === 'string';
  } catch {
    return false;
  }
}

/** Returns whether a client sends the request again. */
function isTemporary({ status }: Pick<RequestedChange, 'status'>): boolean {
  return typeof status !== 'number' || status >= 500 || status === 409;
}

export function isAcknowledged({ status }: RequestedChange): boolean {
  return typeof status === 'number' && status < 300;
}

/** Counts results by status, formatted as `200: 312, 503: 4`. */
export function countStatuses(requested: { status: number | string }[]): string {
  const counts = new Map<string, number>();
  for (const { status } of requested) counts.set(`${status}`, (counts.get(`${status}`) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${status}: ${count}`).join(', ');
}
