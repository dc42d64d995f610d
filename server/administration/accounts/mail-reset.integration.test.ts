import { expect } from 'vitest';
import { mailReset } from '#server/administration/accounts/reset-password.ts';
import { db } from '#server/core/database/prisma.ts';
import { screensFor } from '#server/screens/router.ts';
import { trySignIn } from '#test/clients/sign-in.ts';
import { makeUser } from '#test/fixtures/factories.ts';
import { test, tokenIn } from '#test/fixtures/mail-test.ts';

test('a link for a new password is mailed to every address that can be invited, and the password works', async ({
  service,
  mail,
}) => {
  const { id } = await makeUser();
  const email = 'r&d@acme.example';
  await db().user.update({ where: { id }, data: { email } });
  await mailReset({ userId: id, askedAt: new Date() });
  const token = tokenIn(await mail.waitFor(email));
  const password = 'another password for tests';
  await (await screensFor(new Headers())).account.resetPassword({ token, newPassword: password });
  expect((await trySignIn(service.url, { email, password })).status).toBe(200);
});
