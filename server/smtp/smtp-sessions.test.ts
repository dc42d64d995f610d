import type { SMTPServerSession } from 'smtp-server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SMTP_LIMITS, trackSmtpSessions } from '#server/smtp/smtp-sessions.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('an attacker with a whole IPv6 /64 can open as many connections as one address', () => {
  const { open } = track();
  const addresses = Array.from({ length: 25 }, (_, n) => `2001:db8:1:2::${n.toString(16)}`);
  expect(addresses.map(open).filter((isOpen) => isOpen)).toHaveLength(20);
  expect(open('::ffff:192.0.2.1')).toBe(true);
  expect(open('2001:db8:1:3::1')).toBe(true);
});

test('a closed connection frees its place for another one of its address', () => {
  const { open, sessions } = track();
  for (let n = 0; n < 20; n += 1) open('2001:db8::1');
  expect(open('2001:db8::2')).toBe(false);
  sessions.end({ id: '1' });
  sessions.end({ id: '1' });
  expect([open('2001:db8::2'), open('2001:db8::2')]).toEqual([true, false]);
});

test.each([
  [50, 59_000, 61_000],
  [51, 19_000, 22_000],
])('%i idle connections of 100 are open after %i ms and closed after %i ms', (count, openMs, closedMs) => {
  const { open, closed } = track();
  for (let n = 0; n < count; n += 1) open(`192.0.2.${n}`);
  vi.advanceTimersByTime(openMs);
  expect(closed).toHaveLength(0);
  vi.advanceTimersByTime(closedMs - openMs);
  expect(closed.length).toBeGreaterThan(0);
});

test('a connection that waits for the server is not idle', async () => {
  const { open, sessions, closed } = track();
  open('192.0.2.1');
  const work = Promise.withResolvers<void>();
  const handled = sessions.handle({ id: '1' }, () => work.promise);
  vi.advanceTimersByTime(120_000);
  expect(closed).toEqual([]);
  work.resolve();
  await handled;
  vi.advanceTimersByTime(61_000);
  expect(closed).toEqual(['1']);
});

function track() {
  const closed: string[] = [];
  const sessions = trackSmtpSessions(SMTP_LIMITS, (id) => {
    closed.push(id);
    sessions.end({ id });
  });
  let opened = 0;
  const open = (remoteAddress: string) => {
    opened += 1;
    return sessions.open({ id: `${opened}`, remoteAddress } as SMTPServerSession);
  };
  return { sessions, closed, open };
}
