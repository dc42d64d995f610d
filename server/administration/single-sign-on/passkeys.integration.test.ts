import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { screensFor } from '#server/screens/router.ts';
import { findEndedSessions, findSignedIn } from '#server/teammates/signed-in.ts';
import { consentClient } from '#test/clients/consent-client.ts';
import { signOnBrowser } from '#test/clients/sign-on-browser.ts';
import {
  type Authenticator,
  addPasskey,
  cookieOf,
  makeAuthenticator,
  signInWithPasskey,
} from '#test/fixtures/authenticator.ts';
import { addMember, makeWorkspace } from '#test/fixtures/factories.ts';
import { ownerOf, personOf, test as signOnTest } from '#test/fixtures/sign-on-test.ts';
import { sessionCookie } from '#test/fixtures/teammates.ts';

const WEEK_MS = 7 * 24 * 60 * 60 * 1_000;

const findWith = (cookie: string) => findSignedIn(new Headers({ cookie }));

/** Passes the second step of a sign-in with a passkey. Returns the `Cookie` header afterwards. */
async function passStep(cookie: string, passkey: Authenticator): Promise<string> {
  const { session } = await screensFor(new Headers({ cookie, 'user-agent': 'A browser' }));
  const { challenge } = await session.startPasskeyStep();
  return cookieOf((await session.passPasskeyStep(passkey.get(challenge))).setCookies);
}

/** `agent`: has a passkey, and is in a workspace that requires single sign-on of them and in another one that does not. */
const test = signOnTest.extend('agent', async ({ team }) => {
  const passkey = makeAuthenticator();
  await addPasskey(await sessionCookie(team.agent.id), passkey);
  const { id: otherId } = await makeWorkspace({ name: 'Other' });
  await addMember(otherId, team.agent.id, 'agent');
  await (await ownerOf(team)).screens.singleSignOn.require({ isRequired: true });
  return { ...team.agent, passkey, otherId };
});

describe('a passkey of a teammate whose workspace requires single sign-on', () => {
  test('opens their other workspaces, but not this one', async ({ service, team, agent }) => {
    const cookie = await signInWithPasskey(agent.passkey);
    const signedIn = await findWith(cookie);
    expect(signedIn).toMatchObject({
      workspace: { id: agent.otherId },
      workspaces: [{ id: agent.otherId }],
      lockedWorkspaces: [{ id: team.workspaceId, way: 'single_sign_on' }],
    });
    const { session } = await screensFor(new Headers({ cookie }));
    await expect(session.switchWorkspace({ workspaceId: team.workspaceId })).rejects.toThrow('not found');
    const streams = [team.workspaceId, agent.otherId].map((workspaceId) => ({
      sessionId: signedIn?.sessionId ?? '',
      workspaceId,
    }));
    expect(await findEndedSessions(streams)).toEqual([streams[0]]);
    await db().member.deleteMany({ where: { userId: agent.id, workspaceId: agent.otherId } });
    expect(await findWith(cookie)).toMatchObject({ workspace: null });
    // The consent page leads to the provider, which is the only way in.
    const consent = await consentClient(service.url, cookie).open();
    expect(consent.location?.pathname).toBe(team.startPath);
  });

  test('and a sign-in through the provider open both, without another second step, until the sign-in is a week old', async ({
    service,
    team,
    agent,
    signOn,
  }) => {
    const cookie = await signInWithPasskey(agent.passkey);
    const { browser } = await signOn(personOf(agent), signOnBrowser(service.url, cookie));
    const opened = async () => (await findSignedIn(browser.headers()))?.workspaces.map(({ id }) => id).sort();
    expect(await opened()).toEqual([team.workspaceId, agent.otherId].sort());
    await db().sessionSignOn.updateMany({ data: { signedOnAt: new Date(Date.now() - WEEK_MS) } });
    expect(await opened()).toEqual([agent.otherId]);
  });

  test('is the second step after the provider, and opens no more than the provider did', async ({
    team,
    agent,
    signOn,
  }) => {
    const { browser } = await signOn(personOf(agent));
    expect(await findSignedIn(browser.headers())).toBeNull();
    const cookie = await passStep(browser.cookie(), agent.passkey);
    expect(await findWith(cookie)).toMatchObject({
      workspaces: [{ id: team.workspaceId }],
      lockedWorkspaces: [{ id: agent.otherId, way: 'sign_in' }],
      isSingleSignOn: true,
    });
  });

  test('in the browser of a session of the provider starts a session that the provider did not confirm', async ({
    team,
    agent,
    signOn,
  }) => {
    const { browser } = await signOn({ ...personOf(agent), amr: ['mfa'] });
    expect(await findSignedIn(browser.headers())).toMatchObject({ workspace: { id: team.workspaceId } });
    const { session } = await screensFor(browser.headers());
    const { options, setCookies } = await session.startPasskeySignIn();
    const headers = new Headers({ cookie: `${browser.cookie()}; ${cookieOf(setCookies)}` });
    const { session: next } = await screensFor(headers);
    const signedIn = await next.signInWithPasskey(agent.passkey.get(options.challenge));
    expect(await findWith(cookieOf(signedIn.setCookies))).toMatchObject({
      workspaces: [{ id: agent.otherId }],
      isSingleSignOn: false,
    });
  });

  test('satisfies the second factor that the workspace also requires', async ({ team, agent, signOn }) => {
    await db().workspace.update({
      where: { id: team.workspaceId },
      data: { secondFactorFrom: new Date(Date.now() - 1_000) },
    });
    const { browser } = await signOn(personOf(agent));
    const cookie = await passStep(browser.cookie(), agent.passkey);
    expect(await findWith(cookie)).toMatchObject({ workspaces: [{ id: team.workspaceId }] });
    expect((await findWith(await signInWithPasskey(agent.passkey)))?.workspaces).toMatchObject([
      { id: agent.otherId },
    ]);
  });
});

test('a passkey of an owner opens the workspace, until they are no owner any more', async ({ team }) => {
  const { screens } = await ownerOf(team);
  await screens.singleSignOn.require({ isRequired: true });
  const passkey = makeAuthenticator();
  await addPasskey(await sessionCookie(team.owner.id), passkey);
  const cookie = await signInWithPasskey(passkey);
  expect(await findWith(cookie)).toMatchObject({ workspace: { id: team.workspaceId, role: 'owner' } });
  await db().member.updateMany({ where: { userId: team.owner.id }, data: { role: 'admin' } });
  expect(await findWith(cookie)).toMatchObject({
    workspace: null,
    lockedWorkspaces: [{ way: 'single_sign_on' }],
  });
});

test('a person reads which workspaces they leave with their account, also those that are closed to the session', async ({
  agent,
}) => {
  const { account } = await screensFor(new Headers({ cookie: await signInWithPasskey(agent.passkey) }));
  expect((await account.get()).memberOf).toEqual(['Other', 'Acme']);
});

describe('whoever runs the provider of one workspace', () => {
  test('cannot add a passkey to a person’s account, and does not see those that it has', async ({
    agent,
    signOn,
  }) => {
    const { browser } = await signOn({ ...personOf(agent), amr: ['mfa'] });
    const { account } = await screensFor(browser.headers());
    await expect(account.startPasskey({ password: 'a guess' })).rejects.toThrow('incorrect');
    const response = makeAuthenticator().create('c3RvbGVu');
    await expect(account.addPasskey({ name: 'Stolen', response })).rejects.toThrow('expired or was used');
    await expect(account.passkeys()).rejects.toThrow('Your account is also in Other');
  });
});
