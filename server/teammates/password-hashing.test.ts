import { setTimeout as sleep } from 'node:timers/promises';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { expect, test } from 'vitest';
import { passwordHashing, passwordProblem } from '#server/teammates/passwords.ts';

const COMMON = 'This password is too common. Choose one that others don’t use.';
const OWN = 'Apart from your email address, the password must have at least 8 characters.';

/** Creates a hashing function that records its concurrency. */
function recordingHashing(ms: number) {
  const seen = { now: 0, most: 0, made: 0 };
  const run = async <T>(result: T) => {
    seen.now += 1;
    seen.made += 1;
    seen.most = Math.max(seen.most, seen.now);
    await sleep(ms);
    seen.now -= 1;
    return result;
  };
  const hashing = passwordHashing({ hash: (text) => run(`hash of ${text}`), verify: () => run(false) });
  return { seen, ...hashing };
}

test('the attacker who sends many guesses in parallel has them checked serially, in order of arrival', async () => {
  const { seen, verify, hash } = recordingHashing(2);
  const order: number[] = [];
  const guesses = Array.from({ length: 20 }, async (_, i) => {
    expect(await verify({ hash: 'x', password: `guess ${i}` })).toBe(false);
    order.push(i);
  });
  expect(await hash('another')).toBe('hash of another');
  await Promise.all(guesses);
  expect(seen).toEqual({ now: 0, most: 1, made: 21 });
  expect(order).toEqual(Array.from({ length: 20 }, (_, i) => i));
});

test('the attacker who floods with guesses has a hundred queued and the rest refused immediately', async () => {
  const { seen, verify } = recordingHashing(2);
  const guess = () => verify({ hash: 'x', password: 'a guess' });
  const waiting = Array.from({ length: 101 }, guess);
  await expect(guess()).rejects.toMatchObject({
    statusCode: 503,
    body: { message: expect.stringContaining('Try again') },
    headers: { 'retry-after': '10' },
  });
  expect(seen.made).toBe(1);
  await Promise.all(waiting);
  expect(await guess()).toBe(false);
});

test('a password that fails to verify does not block the next one', async () => {
  const { verify, hash } = passwordHashing({ hash: hashPassword, verify: verifyPassword });
  await expect(verify({ hash: 'no hash', password: 'x' })).rejects.toThrow('Invalid password hash');
  expect(await verify({ hash: await hash('a password'), password: 'a password' })).toBe(true);
});

test.each([
  ['seven77', 'The password must have at least 8 characters.'],
  ['sunshine', COMMON],
  ['SunShine!', COMMON],
  ['sunshine2026', COMMON],
  ['ada.adams@engines.example', OWN],
  ['engines.example1', OWN],
  ['Adams1815', OWN],
  ['ada-adams-engines', OWN],
  ['adams paints red engines at night', undefined],
  ['correct horse', undefined],
  ['adamant42', undefined],
])('the chosen password %j of ada.adams@engines.example is judged', (password, problem) => {
  expect(passwordProblem(password, 'Ada.Adams@engines.example')).toBe(problem);
});
