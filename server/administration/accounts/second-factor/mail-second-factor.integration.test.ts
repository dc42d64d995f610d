import { expect } from 'vitest';
import { mailSecondFactor } from '#server/administration/accounts/second-factor/mail-second-factor.ts';
import { screensFor } from '#server/screens/router.ts';
import { PASSWORD } from '#test/clients/sign-in.ts';
import { test as mailTest } from '#test/fixtures/mail-test.ts';
import { queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { turnOnSecondFactor } from '#test/fixtures/second-factors.ts';
import { makeTeammates, signInTeammate } from '#test/fixtures/teammates.ts';

const test = mailTest
  .extend('team', () => makeTeammates())
  .extend('factor', ({ team }) => turnOnSecondFactor(team.agent))
  /** Sends the email that was queued last to the agent, and returns it. */
  .extend('newest', ({ team, mail }) => async () => {
    mail.received.length = 0;
    const job = (await queuedJobs()).findLast(
      ({ task, payload }) => task === 'mail-second-factor' && payload.userId === team.agent.id,
    );
    if (job?.task !== 'mail-second-factor') throw new Error('No email is queued.');
    await mailSecondFactor({ ...job.payload, at: new Date(job.payload.at) });
    const { email } = await mail.waitFor(team.agent.email);
    return { subject: email.subject, text: email.text };
  });

test('whoever changes the second factor in a stolen session cannot hide it: each change is told by email', async ({
  team,
  factor,
  newest,
}) => {
  expect(await newest()).toEqual({
    subject: 'Two-factor authentication is on',
    text: expect.stringMatching(/was turned on for your account.*\/forgot-password/s),
  });
  const { account } = await screensFor(new Headers({ cookie: factor.cookie }));
  await account.renewRecoveryCodes({ password: PASSWORD });
  expect(await newest()).toEqual({
    subject: 'You have new recovery codes',
    text: expect.stringContaining('The earlier ones do not work any more.'),
  });
  await account.disableSecondFactor({ password: PASSWORD });
  // A passkey may still be asked for.
  expect(await newest()).toEqual({
    subject: 'Your authenticator app is off',
    text: expect.stringContaining('Without a passkey, your password alone is enough to sign in.'),
  });
  await turnOnSecondFactor(team.agent);
  const { teammates } = await (await signInTeammate(team.owner))();
  await teammates.resetSecondFactor({ userId: team.agent.id });
  expect(await newest()).toEqual({
    subject: 'Your second factor was reset',
    text: expect.stringContaining('Olivia Owen reset the second factor of your account'),
  });
});
