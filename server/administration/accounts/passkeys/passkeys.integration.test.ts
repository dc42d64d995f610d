import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { CLIENT_ADDRESS_HEADER } from '#server/core/limits/address-key.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { screensFor } from '#server/screens/router.ts';
import { findEndedSessions, findSignedIn } from '#server/teammates/signed-in.ts';
import { PASSWORD, signInAs } from '#test/clients/sign-in.ts';
import {
  type Authenticator,
  addPasskey,
  cookieOf,
  makeAuthenticator,
  signInWithPasskey,
  startPasskeySignIn,
} from '#test/fixtures/authenticator.ts';
import { queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { enterCode, turnOnSecondFactor } from '#test/fixtures/second-factors.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { makeTeammates, sessionCookie, signInTeammate } from '#test/fixtures/teammates.ts';

const screensOf = (cookie: string) => screensFor(new Headers({ cookie, 'user-agent': 'A browser' }));
const findWith = (cookie: string) => findSignedIn(new Headers({ cookie }));

/** An agent with one passkey, in the session in which it was added. */
const test = serviceTest
  .extend('team', () => makeTeammates())
  .extend('agent', async ({ team }) => {
    const cookie = await sessionCookie(team.agent.id);
    const passkey = makeAuthenticator();
    const recoveryCodes = await addPasskey(cookie, passkey);
    return { cookie, passkey, recoveryCodes, account: async () => (await screensOf(cookie)).account };
  })
  /** Returns the sentences of the audit log about sign-ins, the newest first. */
  .extend('signIns', ({ team }) => async () => {
    const { audit } = await (await signInTeammate(team.owner))();
    return (await audit.list({ about: 'sign_in' })).items.map(({ sentence }) => sentence);
  });

/** Answers the second step of a sign-in that waits. Returns the `Cookie` header afterwards. */
async function passStep(cookie: string, passkey: Authenticator, signing = {}): Promise<string> {
  const { session } = await screensOf(cookie);
  const { challenge } = await session.startPasskeyStep();
  return cookieOf((await session.passPasskeyStep(passkey.get(challenge, signing))).setCookies);
}

describe('a passkey', () => {
  test('is added and removed with the password, listed, mailed and in the audit log', async ({
    agent,
    signIns,
  }) => {
    const account = await agent.account();
    const [first] = await account.passkeys();
    expect(first).toMatchObject({ name: 'Laptop', lastUsedAt: null });
    await expect(account.startPasskey({ password: 'a guess' })).rejects.toThrow('incorrect');
    const id = first?.id ?? '';
    await expect(account.removePasskey({ id, password: 'a guess' })).rejects.toThrow('incorrect');
    await account.removePasskey({ id, password: PASSWORD });
    expect(await account.passkeys()).toEqual([]);
    expect((await signIns()).slice(0, 2)).toEqual([
      'Aggie Agent removed the passkey Laptop.',
      'Aggie Agent added the passkey Laptop.',
    ]);
    const changes = (await queuedJobs()).flatMap((job) =>
      job.task === 'mail-second-factor' ? [job.payload.change] : [],
    );
    expect(changes).toEqual(['passkey_added', 'passkey_removed']);
  });

  test('signs in without a password and without a second step', async ({ team, agent, signIns }) => {
    const cookie = await signInWithPasskey(agent.passkey);
    expect(await findWith(cookie)).toMatchObject({
      user: { id: team.agent.id },
      workspace: { id: team.workspaceId },
      hasSecondFactor: true,
    });
    expect((await signIns())[0]).toMatch(/^Aggie Agent signed in .*with a passkey: /);
    const [listed] = await (await agent.account()).passkeys();
    expect(listed?.lastUsedAt).not.toBeNull();
  });

  test('is asked for after the password, as its teammate’s only second factor', async ({
    service,
    team,
    agent,
    signIns,
  }) => {
    const waiting = await signInAs(service.url, team.agent);
    expect(await findWith(waiting)).toBeNull();
    const { session } = await screensOf(waiting);
    expect(await session.secondStep()).toEqual({
      email: team.agent.email,
      hasApp: false,
      hasPasskeys: true,
    });
    // A security key without a PIN is enough here: the password came first.
    const full = await passStep(waiting, agent.passkey, { userVerified: false });
    expect(await findWith(full)).toMatchObject({ user: { id: team.agent.id } });
    expect(await findWith(waiting)).toBeNull();
    expect((await signIns())[0]).toContain('passed the second step with a passkey: ');
    const other = await signInAs(service.url, team.agent);
    expect(await findWith(await enterCode(other, agent.recoveryCodes[0] ?? ''))).not.toBeNull();
  });

  test('as the first second factor makes other sessions wait, and gives recovery codes', async ({ team }) => {
    const [phone, laptop] = [await sessionCookie(team.viewer.id), await sessionCookie(team.viewer.id)];
    expect(await addPasskey(laptop, makeAuthenticator())).toHaveLength(10);
    expect(await findWith(phone)).toBeNull();
    expect(await findWith(laptop)).not.toBeNull();
    expect(await addPasskey(laptop, makeAuthenticator(), { name: 'Key' })).toEqual([]);
  });

  test('counts for a workspace that requires a second factor, and cannot be removed as the last one', async ({
    team,
    agent,
  }) => {
    const owner = await screensOf((await turnOnSecondFactor(team.owner)).cookie);
    const { without } = await owner.workspaces.secondFactorRule();
    expect(without).toBe(2);
    await owner.workspaces.requireSecondFactor({ from: new Date().toISOString().slice(0, 10) });
    const signedIn = await findWith(agent.cookie);
    expect(signedIn).toMatchObject({ workspace: { id: team.workspaceId }, closedWorkspaces: [] });
    const stream = { sessionId: signedIn?.sessionId ?? '', workspaceId: team.workspaceId };
    expect(await findEndedSessions([stream])).toEqual([]);
    const account = await agent.account();
    const [only] = await account.passkeys();
    await expect(account.removePasskey({ id: only?.id ?? '', password: PASSWORD })).rejects.toThrow(
      'requires',
    );
    expect(await account.passkeys()).toHaveLength(1);
    await addPasskey(agent.cookie, makeAuthenticator(), { name: 'Key' });
    await account.removePasskey({ id: only?.id ?? '', password: PASSWORD });
    // One of two that are removed at the same time stays.
    await addPasskey(agent.cookie, makeAuthenticator(), { name: 'Phone' });
    const outcomes = await Promise.allSettled(
      (await account.passkeys()).map(({ id }) => account.removePasskey({ id, password: PASSWORD })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('lets its owner require a second factor, and an owner reset it with the sessions', async ({
    team,
    agent,
  }) => {
    const cookie = await sessionCookie(team.owner.id);
    await addPasskey(cookie, makeAuthenticator());
    const owner = await screensOf(cookie);
    await owner.workspaces.requireSecondFactor({ from: new Date().toISOString().slice(0, 10) });
    await owner.teammates.resetSecondFactor({ userId: team.agent.id });
    expect(await findWith(agent.cookie)).toBeNull();
    await expect(signInWithPasskey(agent.passkey)).rejects.toThrow('can’t be used');
    expect(await db().recoveryCode.count({ where: { userId: team.agent.id } })).toBe(0);
  });

  test('is one of at most 20 of an account, also when two are added at the same time', async ({
    team,
    agent,
  }) => {
    await db().passkey.createMany({
      data: Array.from({ length: 18 }, (_, n) => ({
        userId: team.agent.id,
        name: `Key ${n}`,
        credentialId: `credential-${n}`,
        publicKey: Uint8Array.of(1),
      })),
    });
    const others = [await signInWithPasskey(agent.passkey), await signInWithPasskey(agent.passkey)];
    const outcomes = await Promise.allSettled(
      others.map((cookie) => addPasskey(cookie, makeAuthenticator())),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(addPasskey(agent.cookie, makeAuthenticator())).rejects.toThrow('can have 20 passkeys');
  });

  test('is removed with its account, which it then cannot open', async ({ team, agent }) => {
    const waiting = await startPasskeySignIn();
    await (await agent.account()).delete({ password: PASSWORD });
    const { session } = await screensOf(waiting.cookie);
    await expect(session.signInWithPasskey(agent.passkey.get(waiting.challenge))).rejects.toThrow();
    expect(await db().passkey.count({ where: { userId: team.agent.id } })).toBe(0);
  });
});

describe('an attacker', () => {
  test('cannot replay what a passkey signed, not even at the same time', async ({ agent }) => {
    const { challenge, cookie } = await startPasskeySignIn();
    const response = agent.passkey.get(challenge);
    const outcomes = await Promise.allSettled(
      [1, 2, 3].map(async () => (await screensOf(cookie)).session.signInWithPasskey(response)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { session } = await screensOf(cookie);
    await expect(session.signInWithPasskey(response)).rejects.toThrow('expired or was used');
    // Nor for a new challenge.
    const next = await startPasskeySignIn();
    await expect((await screensOf(next.cookie)).session.signInWithPasskey(response)).rejects.toThrow();
  });

  test('cannot use a challenge of another browser, session or purpose, or an expired one', async ({
    service,
    team,
    agent,
  }) => {
    const [mine, theirs] = [await startPasskeySignIn(), await startPasskeySignIn()];
    const signed = agent.passkey.get(mine.challenge);
    for (const cookie of [theirs.cookie, '']) {
      await expect((await screensOf(cookie)).session.signInWithPasskey(signed)).rejects.toThrow();
    }
    const [one, two] = [await signInAs(service.url, team.agent), await signInAs(service.url, team.agent)];
    const { challenge } = await (await screensOf(one)).session.startPasskeyStep();
    const { session } = await screensOf(two);
    await expect(session.passPasskeyStep(agent.passkey.get(challenge))).rejects.toThrow(
      'expired or was used',
    );
    await session.startPasskeyStep();
    await expect(session.passPasskeyStep(agent.passkey.get(challenge))).rejects.toThrow('can’t be used');
    const late = await startPasskeySignIn();
    await db().verification.updateMany({ data: { expiresAt: new Date(0) } });
    await expect(
      (await screensOf(late.cookie)).session.signInWithPasskey(agent.passkey.get(late.challenge)),
    ).rejects.toThrow('expired or was used');
  });

  test('cannot add a passkey with the challenge of another session, nor a credential that exists', async ({
    team,
    agent,
  }) => {
    const admin = await sessionCookie(team.admin.id);
    const { challenge } = await (await agent.account()).startPasskey({ password: PASSWORD });
    const { account } = await screensOf(admin);
    const response = makeAuthenticator().create(challenge);
    await expect(account.addPasskey({ name: 'Stolen', response })).rejects.toThrow('expired or was used');
    await account.startPasskey({ password: PASSWORD });
    await expect(account.addPasskey({ name: 'Stolen', response })).rejects.toThrow('could not be verified');
    await expect(addPasskey(admin, agent.passkey)).rejects.toThrow('added before');
    expect(await account.passkeys()).toEqual([]);
  });

  test.for([
    ['another origin', { origin: 'http://inbox.test.evil.test' }],
    ['another relying party', { rpId: 'evil.test' }],
    ['a passkey that did not verify its user', { userVerified: false }],
    ['a counter that went back', { counter: 1 }],
  ] as const)('does not sign in from %s', async ([, signing], { agent, signIns }) => {
    await signInWithPasskey(agent.passkey, { counter: 7 });
    await expect(signInWithPasskey(agent.passkey, signing)).rejects.toThrow('can’t be used');
    expect((await signIns())[0]).toMatch(/^A sign-in as Aggie Agent failed, because the passkey was wrong: /);
  });

  test('does not sign in with a passkey that was removed, or with their own for another account', async ({
    service,
    team,
    agent,
  }) => {
    const theirs = makeAuthenticator();
    await addPasskey(await sessionCookie(team.admin.id), theirs);
    const waiting = await signInAs(service.url, team.agent);
    await expect(passStep(waiting, theirs)).rejects.toThrow('can’t be used');
    expect(await findWith(waiting)).toBeNull();
    const { challenge, cookie } = await startPasskeySignIn();
    const signed = theirs.get(challenge);
    const handle = Buffer.from(team.agent.id).toString('base64url');
    const response = { ...signed, response: { ...signed.response, userHandle: handle } };
    await expect((await screensOf(cookie)).session.signInWithPasskey(response)).rejects.toThrow();

    const account = await agent.account();
    const [own] = await account.passkeys();
    await account.removePasskey({ id: own?.id ?? '', password: PASSWORD });
    await expect(signInWithPasskey(agent.passkey)).rejects.toThrow('can’t be used');
    const { account: admins } = await screensOf(await signInWithPasskey(theirs));
    const [other] = await admins.passkeys();
    await expect(account.removePasskey({ id: other?.id ?? '', password: PASSWORD })).rejects.toThrow();
  });

  test('who was removed from the workspace signs in to no workspace', async ({ team, agent }) => {
    await (await (await signInTeammate(team.owner))()).teammates.remove({ userId: team.agent.id });
    expect(await findWith(await signInWithPasskey(agent.passkey))).toMatchObject({
      workspace: null,
      workspaces: [],
    });
  });

  test('is stopped after 30 challenges in a minute', async ({ service, team, agent }) => {
    const { session } = await screensOf(await signInAs(service.url, team.agent));
    for (let count = 2; count <= 30; count += 1) await session.startPasskeyStep();
    await expect(session.startPasskeyStep()).rejects.toThrow('Too many attempts with a passkey');
    expect(agent.recoveryCodes).toHaveLength(10);
  });

  test('is stopped after 30 challenges in a minute before signing in, also with an IPv6 /64', async () => {
    const start = async (n: number) => {
      const headers = new Headers({ [CLIENT_ADDRESS_HEADER]: `2001:db8:77:3::${n}` });
      await (await screensFor(headers)).session.startPasskeySignIn();
    };
    await consumeLimit('passkey', '2001:db8:77:3::', 29);
    await start(1);
    await expect(start(2)).rejects.toThrow('Too many attempts with a passkey');
  });
});
