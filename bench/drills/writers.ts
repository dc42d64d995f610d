import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { machineMs } from '#bench/lab/clock.ts';
import type { RequestStage } from '#bench/lab/request-stage.ts';
import { API_PATH } from '#server/core/env.ts';

/**
 * A change that a client asked for, and what it heard: a status, or nothing as the connection broke. `isClear`: what it
 * heard was the change itself, or an error in the API's own shape.
 */
export type AskedChange = {
  kind: 'tag' | 'conversation';
  /** The tag, or the subject: no other change has it. */
  mark: string;
  status: number | 'broken off';
  isClear: boolean;
  /** By the machine's clock, in milliseconds. */
  beganAt: number;
  answeredAt: number;
};

export type Writers = {
  asked: AskedChange[];
  /** Waits for the responses that are still due. */
  stop(): Promise<AskedChange[]>;
};

/** A response that takes longer is none, in milliseconds. */
const RESPONSE_MS = 40_000;
/** What no compression makes smaller: a text that takes pages of its own. */
const LONG = randomBytes(4_500).toString('base64');
let made = 0;

/**
 * Clients that change something over the API, each as soon as the one before was answered: they add tags to conversations,
 * and every fourth change is a new conversation.
 * @param urls of the servers that take requests now
 */
export function startWriters(
  stage: RequestStage,
  urls: () => string[],
  { writers = 4, pauseMs = 10 }: { writers?: number; pauseMs?: number } = {},
): Writers {
  const dispatcher = new Agent({
    connections: writers,
    headersTimeout: RESPONSE_MS,
    bodyTimeout: RESPONSE_MS,
  });
  const asked: AskedChange[] = [];
  let isOver = false;
  const write = async () => {
    while (!isOver) {
      made += 1;
      const running = urls();
      const url = running[made % running.length];
      if (url === undefined) await sleep(pauseMs);
      else asked.push(await ask(dispatcher, url, stage, made));
      await sleep(pauseMs);
    }
  };
  const all = Promise.all(Array.from({ length: writers }, write));
  return {
    asked,
    stop: async () => {
      isOver = true;
      await all;
      await dispatcher.destroy();
      return asked;
    },
  };
}

async function ask(
  dispatcher: Agent,
  url: string,
  { connections, conversations }: RequestStage,
  n: number,
): Promise<AskedChange> {
  const kind = n % 4 === 0 ? 'conversation' : 'tag';
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
  const beganAt = machineMs();
  const answered = (status: AskedChange['status'], isClear: boolean): AskedChange => ({
    kind,
    mark,
    status,
    isClear,
    beganAt,
    answeredAt: machineMs(),
  });
  try {
    const response = await request(`${url}${API_PATH}${path}`, {
      dispatcher,
      method: 'POST',
      headers: {
        authorization: `Bearer ${connections[n % connections.length]?.accessToken}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    const { statusCode: status } = response;
    const text = await response.body.text();
    return answered(status, status < 300 ? text.includes(`"${mark}"`) : saysWhy(text));
  } catch {
    return answered('broken off', false);
  }
}

/** Whether an error says what is wrong as the API's errors do: `{ message }`. */
function saysWhy(text: string): boolean {
  try {
    return typeof (JSON.parse(text) as { message?: unknown }).message === 'string';
  } catch {
    return false;
  }
}

/** Whether a client may rely on a change. */
export function isAcknowledged({ status }: AskedChange): boolean {
  return typeof status === 'number' && status < 300;
}

/** How many changes heard what, such as `200: 312, 503: 4`. */
export function countStatuses(asked: { status: number | string }[]): string {
  const counts = new Map<string, number>();
  for (const { status } of asked) counts.set(`${status}`, (counts.get(`${status}`) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${status}: ${count}`).join(', ');
}
