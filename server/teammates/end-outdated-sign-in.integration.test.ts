import { afterEach, describe, expect, vi } from 'vitest';
import { issueResetToken, resetPassword } from '#server/administration/accounts/reset-password.ts';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { auth } from '#server/teammates/auth.ts';
import type { PasswordHashing } from '#server/teammates/passwords.ts';
import { PASSWORD, signInAs, trySignIn } from '#test/clients/sign-in.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { makeUser } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';
import { signInTeammate } from '#test/fixtures/teammates.ts';
import { until } from '#test/fixtures/until.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

type User = Awaited<ReturnType<typeof makeUser>>;

const CHANGES: [string, (user: User) => Promise<unknown>][] = [
  [
    'a change of the password',
    async (user) => {
      const { account } = await (await signInTeammate(user))();
      await account.changePassword({ password: PASSWORD, newPassword: NEW_PASSWORD });
      await db().session.deleteMany({ where: { userId: user.id } });
    },
  ],
  [
    'a reset of the password',
    async ({ id }) => {
      await resetPassword({ token: await issueResetToken(id), newPassword: NEW_PASSWORD });
    },
  ],
  [
    'the deletion of the account',
    async (user) => {
      const { account } = await (await signInTeammate(user))();
      await account.delete({ password: PASSWORD });
    },
  ],
];

describe('the attacker who knows the old password', () => {
  test.for(CHANGES)(
    'gets no session from sign-ins that are in flight during %s',
    async ([, change], { service }) => {
      const user = await makeUser();
      const known = await signInAs(service.url, user);
      const wrong = await trySignIn(service.url, { email: user.email, password: 'a guess' });
      const checks = await holdChecks(2);
      const credentials = { email: user.email, password: PASSWORD };
      const signIns = [
        trySignIn(service.url, credentials),
        trySignIn(service.url, credentials, { cookie: known }),
      ];
      await checks.passed;
      await change(user);
      checks.finish();
      for (const { status, body, cookie } of await Promise.all(signIns)) {
        expect([status, body, cookie]).toEqual([401, wrong.body, '']);
      }
      expect(await db().session.count({ where: { userId: user.id } })).toBe(0);
    },
  );

  test('gets no session from a sign-in that ends just before a change commits', async ({ service }) => {
    const { id, email } = await makeUser();
    const change = await pool().connect();
    try {
      await change.query('begin');
      await change.query('update accounts set password = $2 where user_id = $1', [id, 'another hash']);
      await change.query('delete from sessions where user_id = $1', [id]);
      const signIn = trySignIn(service.url, { email, password: PASSWORD });
      await until('the sign-in waits for the change', async () => (await countLockWaiters()) === 1);
      await change.query('commit');
      expect(await signIn).toMatchObject({ status: 401, cookie: '' });
    } finally {
      change.release();
    }
    expect(await db().session.count({ where: { userId: id } })).toBe(0);
  });
});

const NEW_PASSWORD = 'another password for tests';

/** Holds the results of the next password checks: `passed` resolves once all are known, `finish` returns them. */
async function holdChecks(count: number) {
  const { password }: { password: PasswordHashing } = await auth().$context;
  const verify = password.verify;
  const [passed, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const spy = vi.spyOn(password, 'verify');
  let running = count;
  for (let i = 0; i < count; i += 1) {
    spy.mockImplementationOnce(async (input) => {
      const isRight = await verify(input);
      running -= 1;
      if (running === 0) passed.resolve();
      await finished.promise;
      return isRight;
    });
  }
  return { passed: passed.promise, finish: finished.resolve };
}
