import { expect } from 'vitest';
import { mailNewDevice } from '#server/administration/accounts/mail-new-device.ts';
import { db } from '#server/core/database/prisma.ts';
import { signInAs } from '#test/clients/sign-in.ts';
import { addPasskey, makeAuthenticator, signInWithPasskey } from '#test/fixtures/authenticator.ts';
import { makeUser } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/mail-test.ts';
import { queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { sessionCookie } from '#test/fixtures/teammates.ts';

test('whose password is known is told to choose a new one, and whose passkey was used to remove it', async ({
  service,
  mail,
}) => {
  const user = await makeUser();
  await db().user.update({ where: { id: user.id }, data: { createdAt: new Date(0) } });
  /** Sends the email about the newest sign-in, and returns its text. */
  const textOfNewest = async (number: number) => {
    const job = (await queuedJobs()).findLast(
      ({ task, payload }) => task === 'mail-new-device' && payload.userId === user.id,
    );
    if (job?.task !== 'mail-new-device') throw new Error('No email is queued.');
    await mailNewDevice({ ...job.payload, at: new Date(job.payload.at) });
    return (await mail.waitFor(user.email, number)).email.text;
  };
  await signInAs(service.url, user);
  expect(await textOfNewest(1)).toMatch(/someone knows your password.*\/forgot-password/s);

  const passkey = makeAuthenticator();
  await addPasskey(await sessionCookie(user.id), passkey);
  await signInWithPasskey(passkey);
  const text = await textOfNewest(2);
  expect(text).toMatch(/with a passkey.*remove the passkeys that are not yours.*\/settings\/account/s);
  expect(text).not.toContain('someone knows your password');
});
