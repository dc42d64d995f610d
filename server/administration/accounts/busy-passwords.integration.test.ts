import { expect } from 'vitest';
import { issueResetToken } from '#server/administration/accounts/reset-password.ts';
import { screensFor } from '#server/screens/router.ts';
import { auth } from '#server/teammates/auth.ts';
import { passwordHashing } from '#server/teammates/passwords.ts';
import { PASSWORD, trySignIn } from '#test/clients/sign-in.ts';
import { errorsOf } from '#test/fixtures/errors-of.ts';
import { makeUser } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';
import { signInTeammate } from '#test/fixtures/teammates.ts';

test('while too many passwords are being checked, nothing changes, and a reset link stays usable', async ({
  service,
}) => {
  const user = await makeUser();
  const { email } = user;
  const token = await issueResetToken(user.id);
  const visitor = await screensFor(new Headers());
  const reset = () => visitor.account.resetPassword({ token, newPassword: NEW_PASSWORD });
  const { account } = await (await signInTeammate(user))();
  const endFlood = await fillQueue();
  for (const refused of [
    () => reset(),
    () => account.changePassword({ password: PASSWORD, newPassword: NEW_PASSWORD }),
    () => account.delete({ password: PASSWORD }),
  ]) {
    expect(await errorsOf(refused())).toBe(
      'Too many passwords are being checked just now. Try again in a moment.',
    );
  }
  await endFlood();
  expect((await trySignIn(service.url, { email, password: PASSWORD })).status).toBe(200);
  await reset();
  expect((await trySignIn(service.url, { email, password: NEW_PASSWORD })).status).toBe(200);
});

const NEW_PASSWORD = 'another password for tests';

/** Fills the queue of passwords with hashes that end when the returned function is called. */
async function fillQueue(): Promise<() => Promise<void>> {
  const { password } = await auth().$context;
  const before = { ...password };
  const gate = Promise.withResolvers<void>();
  const hold = async () => {
    await gate.promise;
    return '';
  };
  Object.assign(password, passwordHashing({ hash: hold, verify: before.verify }));
  const flood = Promise.allSettled(Array.from({ length: 101 }, () => password.hash('a guess')));
  return async () => {
    gate.resolve();
    await flood;
    Object.assign(password, before);
  };
}
