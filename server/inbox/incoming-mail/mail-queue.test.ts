import { beforeEach, expect, test } from 'vitest';
import { settings } from '#server/core/env.ts';
import { mailQueue } from '#server/inbox/incoming-mail/mail-queue.ts';
import { setTestSettings } from '#test/servers/settings.ts';

beforeEach(() => setTestSettings());

test('an attacker with any number of domains and addresses creates at most 512 queues', () => {
  const queues = new Set<string>();
  for (let number = 0; number < 5_000; number += 1) {
    for (const spfPassed of [true, false]) queues.add(queueOf(number, { spfPassed }));
  }
  expect(queues.size).toBeLessThanOrEqual(512);
  // All are used, so that few senders share one.
  expect(queues.size).toBeGreaterThan(500);
});

test('a domain has two queues, whichever address and server its confirmed mail comes from', () => {
  const queues = new Set<string>();
  for (let number = 0; number < 50; number += 1) {
    const envelope = { ip: `192.0.2.${number}`, helo: null, from: `user-${number}@mail.acme.test` };
    queues.add(mailQueue(updateId(number), envelope, { spfPassed: true }));
  }
  expect(queues.size).toBe(2);
});

test('an attacker who forges a domain or floods from many domains never uses the queues of confirmed mail', () => {
  const confirmed = new Set<string>();
  const forged = new Set<string>();
  for (let number = 0; number < 5_000; number += 1) {
    confirmed.add(queueOf(number, { spfPassed: true }));
    forged.add(queueOf(number, { spfPassed: false }));
  }
  expect([...forged].filter((queue) => confirmed.has(queue))).toEqual([]);
});

test('an attacker cannot compute which domains share the queues of another, because the digest is keyed', () => {
  const queues = () => Array.from({ length: 20 }, (_, number) => queueOf(number, { spfPassed: true }));
  const before = queues();
  Object.assign(settings(), { SESSION_SECRET: 'another secret'.repeat(3) });
  expect(queues()).not.toEqual(before);
});

const updateId = (number: number) => `00000000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;

/** Returns the queue of a mail from another domain and server for each number. */
function queueOf(number: number, { spfPassed }: { spfPassed: boolean }): string {
  const ip = `10.0.${number >> 8}.${number & 255}`;
  const envelope = { ip, helo: null, from: `user@sender-${number}.test` };
  return mailQueue(updateId(number), envelope, { spfPassed });
}
