import { describe, expect } from 'vitest';
import { mailAddressChange } from '#server/administration/accounts/mail-address-change.ts';
import { issueResetToken } from '#server/administration/accounts/reset-password.ts';
import { db } from '#server/core/database/prisma.ts';
import { CLIENT_ADDRESS_HEADER } from '#server/core/limits/address-key.ts';
import { screensFor } from '#server/screens/router.ts';
import { findSignedIn } from '#server/teammates/signed-in.ts';
import { PASSWORD, trySignIn } from '#test/clients/sign-in.ts';
import { addPasskey, makeAuthenticator, signInWithPasskey } from '#test/fixtures/authenticator.ts';
import { test as mailTest, tokenIn } from '#test/fixtures/mail-test.ts';
import { forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { turnOnSecondFactor } from '#test/fixtures/second-factors.ts';
import { makeTeammates, sessionCookie, signInTeammate } from '#test/fixtures/teammates.ts';

const test = mailTest
  .extend('team', () => makeTeammates())
  .extend('account', async ({ team }) => (await (await signInTeammate(team.agent))()).account)
  /** Requests an address and returns the emails by recipient: subject and token of each link. */
  .extend('request', ({ account, mailServer }) => async (email: string) => {
    mailServer.received.length = 0;
    await account.changeAddress({ email, password: PASSWORD });
    const changeId = await queuedChange();
    await mailAddressChange(changeId);
    await mailAddressChange(changeId);
    return new Map(
      mailServer.received.map(({ to, email: { subject, text } }) => [
        to[0] ?? '',
        { subject, token: /token=(\w+)/.exec(text ?? '')?.[1] ?? '' },
      ]),
    );
  });

const visitor = () => screensFor(new Headers());
const emailOf = async ({ id }: { id: string }) =>
  (await db().user.findUniqueOrThrow({ where: { id }, select: { email: true } })).email;
/** @param network of the visitor: each has its own limit */
const askForReset = async (email: string, network: number) => {
  const headers = new Headers({ [CLIENT_ADDRESS_HEADER]: `198.51.100.${network}` });
  await (await screensFor(headers)).account.askForReset({ email });
};
const newEmail = () => `new-${Date.now()}-${Math.random().toString(36).slice(2)}@acme.test`;

describe('another address', () => {
  test('is used once it is confirmed, and not before', async ({ service, team, request }) => {
    const { email: old } = team.agent;
    const email = newEmail();
    const mails = await request(email.toUpperCase());
    expect([...mails.keys()].sort()).toEqual([email, old].sort());
    expect(await emailOf(team.agent)).toBe(old);
    const { account } = await visitor();
    const token = mails.get(email)?.token ?? '';
    expect(await account.addressLink({ token })).toEqual({ kind: 'confirm', oldEmail: old, newEmail: email });
    expect(await emailOf(team.agent)).toBe(old);
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => account.followAddressLink({ token })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await emailOf(team.agent)).toBe(email);
    expect((await trySignIn(service.url, { email, password: PASSWORD })).status).toBe(200);
    expect((await trySignIn(service.url, { email: old, password: PASSWORD })).status).toBe(401);
    expect(await account.addressLink({ token })).toBeNull();
  });

  test('is prevented by the old address, and then cannot be confirmed', async ({ team, request }) => {
    const email = newEmail();
    const mails = await request(email);
    const { account } = await visitor();
    const refusal = mails.get(team.agent.email)?.token ?? '';
    expect(await account.followAddressLink({ token: refusal })).toMatchObject({ kind: 'refuse' });
    await expect(account.followAddressLink({ token: mails.get(email)?.token ?? '' })).rejects.toThrow(
      'no longer valid',
    );
    await expect(account.followAddressLink({ token: refusal })).rejects.toThrow('no longer valid');
    expect(await emailOf(team.agent)).toBe(team.agent.email);
  });

  test('is confirmed by the newest link only', async ({ team, request }) => {
    const [first, second] = [newEmail(), newEmail()];
    const earlier = await request(first);
    const later = await request(second);
    const { account } = await visitor();
    await expect(account.followAddressLink({ token: earlier.get(first)?.token ?? '' })).rejects.toThrow();
    await account.followAddressLink({ token: later.get(second)?.token ?? '' });
    expect(await emailOf(team.agent)).toBe(second);
  });

  test.for(['changed', 'reset'] as const)(
    'cannot be confirmed after the password was %s: whoever requested it knew the one before',
    async (how, { team, account, request }) => {
      const email = newEmail();
      const token = (await request(email)).get(email)?.token ?? '';
      const newPassword = 'another password for tests';
      const link = (await visitor()).account;
      if (how === 'changed') await account.changePassword({ password: PASSWORD, newPassword });
      else {
        await link.resetPassword({ token: await issueResetToken(team.agent.id), newPassword });
      }
      expect(await link.addressLink({ token })).toBeNull();
      await expect(link.followAddressLink({ token })).rejects.toThrow('no longer valid');
      expect(await emailOf(team.agent)).toBe(team.agent.email);
    },
  );

  test('gets links for a new password at the address that it has now, also if too many were requested there before', async ({
    team,
    request,
  }) => {
    const { email: old } = team.agent;
    const email = newEmail();
    const mails = await request(email);
    const { account: link } = await visitor();
    // Confirmed at the new address, then undone at the old one.
    for (const address of [email, old]) {
      for (const network of [1, 2, 3, 4]) await askForReset(address, network);
      await link.followAddressLink({ token: mails.get(address)?.token ?? '' });
      await forgetJobs();
      await askForReset(address, 5);
      const [job] = await queuedJobs();
      expect(job).toMatchObject({ task: 'mail-password-reset', payload: { userId: team.agent.id } });
    }
  });

  test('is told to the old address first: while that email is refused, the new one gets none', async ({
    team,
    account,
    mail,
  }) => {
    const email = newEmail();
    await account.changeAddress({ email, password: PASSWORD });
    const changeId = await queuedChange();
    mail.respond(refuse(team.agent.email));
    await expect(mailAddressChange(changeId)).rejects.toThrow();
    expect(mail.sentTo(email)).toEqual([]);
    mail.respond();
    await mailAddressChange(changeId);
    expect(mail.sentTo(email)).toHaveLength(1);
  });

  test('is told to the old address once when the email to the new one is retried, and all links stay valid', async ({
    team,
    account,
    mail,
  }) => {
    const email = newEmail();
    await account.changeAddress({ email, password: PASSWORD });
    const changeId = await queuedChange();
    mail.respond(refuse(email));
    await expect(mailAddressChange(changeId)).rejects.toThrow();
    const told = await mail.waitFor(team.agent.email);
    mail.respond();
    await mailAddressChange(changeId);
    expect(mail.sentTo(team.agent.email)).toEqual([told]);
    const { account: link } = await visitor();
    await link.followAddressLink({ token: tokenIn(await mail.waitFor(email, 2)) });
    expect(await link.followAddressLink({ token: tokenIn(told) })).toMatchObject({ kind: 'undo' });
    expect(await emailOf(team.agent)).toBe(team.agent.email);
  });

  test('has the same links in a second email after a worker died before it stored that the first was sent', async ({
    account,
    mail,
  }) => {
    const email = newEmail();
    await account.changeAddress({ email, password: PASSWORD });
    const changeId = await queuedChange();
    await mailAddressChange(changeId);
    await db().addressChange.update({ where: { id: changeId }, data: { mailedAt: null } });
    await mailAddressChange(changeId);
    const [first, second] = [await mail.waitFor(email), await mail.waitFor(email, 2)].map(tokenIn);
    expect(second).toBe(first);
  });

  test('is not told apart when it has an account: only its owner learns that by email', async ({
    team,
    request,
  }) => {
    const mails = await request(team.admin.email);
    expect(mails.get(team.admin.email)).toMatchObject({ token: '' });
    expect(mails.get(team.admin.email)?.subject).toContain('already has an account');
    expect(mails.get(team.agent.email)?.token).not.toBe('');
  });

  test.for([
    ['no address', PASSWORD, 'email'],
    ['agent@acme.test\r\nBcc: x@evil.test', PASSWORD, 'email'],
    ['ada@acme.test', 'a guess', 'password'],
  ] as const)('%j with the password %j is refused', async ([email, password, field], { team, account }) => {
    await expect(account.changeAddress({ email, password })).rejects.toMatchObject({
      cause: { errors: { [field]: [expect.any(String)] } },
    });
    expect(await db().addressChange.count({ where: { userId: team.agent.id } })).toBe(0);
  });
});

describe('the attacker who stole a session and the password and changed the address', () => {
  test('loses the account to the old address, with sessions, password and second factor', async ({
    service,
    team,
    request,
  }) => {
    const email = newEmail();
    const mails = await request(email);
    const { account } = await visitor();
    await account.followAddressLink({ token: mails.get(email)?.token ?? '' });
    const { cookie } = await turnOnSecondFactor(team.agent);
    const passkey = makeAuthenticator();
    await addPasskey(cookie, passkey);
    const reset = await issueResetToken(team.agent.id);
    const token = mails.get(team.agent.email)?.token ?? '';
    expect(await account.addressLink({ token })).toMatchObject({ kind: 'undo' });
    await account.followAddressLink({ token });
    expect(await emailOf(team.agent)).toBe(team.agent.email);
    expect(await findSignedIn(new Headers({ cookie }))).toBeNull();
    await expect(signInWithPasskey(passkey)).rejects.toThrow('can’t be used');
    expect((await trySignIn(service.url, { email: team.agent.email, password: PASSWORD })).status).toBe(401);
    await expect(
      account.resetPassword({ token: reset, newPassword: 'another password for tests' }),
    ).rejects.toThrow();
    expect(await findSignedIn(new Headers({ cookie: await sessionCookie(team.agent.id) }))).not.toBeNull();
    const { audit } = await (await signInTeammate(team.owner))();
    const sentences = (await audit.list({ about: 'sign_in' })).items.map(({ sentence }) => sentence);
    expect(sentences).toContain(
      `The address of Aggie Agent was changed from ${team.agent.email} to ${email}.`,
    );
    expect(sentences).toContain(
      `The change of the address of Aggie Agent to ${email} was prevented or undone.`,
    );
  });

  test('loses it too after a second change to yet another address, whose links then do nothing', async ({
    team,
    request,
  }) => {
    const [first, second] = [newEmail(), newEmail()];
    const mails = await request(first);
    const { account: link } = await visitor();
    await link.followAddressLink({ token: mails.get(first)?.token ?? '' });
    const later = await request(second);
    await link.followAddressLink({ token: later.get(second)?.token ?? '' });
    expect(await emailOf(team.agent)).toBe(second);
    const undo = { token: mails.get(team.agent.email)?.token ?? '' };
    const undoLater = { token: later.get(first)?.token ?? '' };
    const outcomes = await Promise.allSettled([
      link.followAddressLink(undo),
      link.followAddressLink(undoLater),
    ]);
    expect(outcomes[0]?.status).toBe('fulfilled');
    expect(await emailOf(team.agent)).toBe(team.agent.email);
    expect(await link.addressLink(undoLater)).toBeNull();
    await expect(link.followAddressLink(undoLater)).rejects.toThrow('no longer valid');
    expect(await db().session.count({ where: { userId: team.agent.id } })).toBe(0);
  });

  test('cannot undo a change after seven days', async ({ team, request }) => {
    const mails = await request(newEmail());
    await db().addressChange.updateMany({
      where: { userId: team.agent.id },
      data: { createdAt: new Date(Date.now() - 8 * 24 * 60 * 60 * 1_000), expiresAt: new Date(0) },
    });
    const { account } = await visitor();
    for (const { token } of mails.values()) expect(await account.addressLink({ token })).toBeNull();
  });
});

/** Returns the change whose emails were queued last. */
async function queuedChange(): Promise<string> {
  const job = (await queuedJobs()).findLast(({ task }) => task === 'mail-address-change');
  if (job?.task !== 'mail-address-change') throw new Error('No email is queued.');
  return job.payload.changeId;
}

/** Script of a mail server that refuses mail to one address. */
const refuse =
  (address: string) =>
  ({ to }: { to: string[] }) => {
    if (to.includes(address)) throw new Error('Try again later');
  };
