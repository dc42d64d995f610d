import { describe, expect } from 'vitest';
import { admitPerson } from '#server/administration/single-sign-on/admit-person.ts';
import { db } from '#server/core/database/prisma.ts';
import { digest, newSecret } from '#server/core/secrets.ts';
import { screensFor } from '#server/screens/router.ts';
import { findSignedIn } from '#server/teammates/signed-in.ts';
import { consentClient, REQUEST } from '#test/clients/consent-client.ts';
import { ORIGIN, PASSWORD } from '#test/clients/sign-in.ts';
import { isCallback, signOnBrowser } from '#test/clients/sign-on-browser.ts';
import { addMember, makeUser } from '#test/fixtures/factories.ts';
import { enterCode, turnOnSecondFactor } from '#test/fixtures/second-factors.ts';
import { DOMAIN, ownerOf, personOf, setUpSignOn, test } from '#test/fixtures/sign-on-test.ts';
import { makeTeammates, sessionCookie } from '#test/fixtures/teammates.ts';

/** The reason on the page at which a failed sign-in ends. */
const reasonOf = (end: URL) => end.searchParams.get('reason');
const signedInAs = async (browser: { headers: () => Headers }) =>
  (await findSignedIn(browser.headers()))?.user.id;

test('signs a teammate in through the provider of their workspace, which opens there', async ({
  team,
  signOn,
}) => {
  const { browser, end } = await signOn(personOf(team.agent));
  expect(`${end.pathname}${end.search}`).toBe('/sign-in?next=%2Finbox');
  expect(await findSignedIn(browser.headers())).toMatchObject({
    user: { id: team.agent.id },
    workspace: { id: team.workspaceId, role: 'agent' },
    lockedWorkspaces: [],
  });
});

test('remembers the browser and the person there, also when their address changes', async ({
  team,
  signOn,
}) => {
  const { browser } = await signOn(personOf(team.agent));
  await signOn({ ...personOf(team.agent), email: `renamed@${DOMAIN}` }, browser);
  expect(await signedInAs(browser)).toBe(team.agent.id);
  const { screens } = await ownerOf(team);
  const { items } = await screens.audit.list({ about: 'sign_in' });
  const [again, first] = items
    .filter(({ kind }) => kind.startsWith('signed_in'))
    .map(({ sentence }) => sentence);
  expect(first).toMatch(/^Aggie Agent signed in on a new device with single sign-on: Firefox on Linux, /);
  expect(again).toMatch(/^Aggie Agent signed in with single sign-on: /);
});

test('asks for the second factor of the account, unless the provider reports several factors', async ({
  team,
  signOn,
}) => {
  const factor = await turnOnSecondFactor(team.agent);
  const { browser } = await signOn(personOf(team.agent));
  expect(await signedInAs(browser)).toBeUndefined();
  const cookie = await enterCode(browser.cookie(), await factor.nextCode());
  expect(await findSignedIn(new Headers({ cookie }))).toMatchObject({ user: { id: team.agent.id } });
  const withMfa = await signOn({ ...personOf(team.agent), amr: ['pwd', 'otp', 'mfa'] });
  expect(await signedInAs(withMfa.browser)).toBe(team.agent.id);
});

test('stays signed in after turning two-factor authentication off, and a sign-in that waits for it does not', async ({
  team,
  signOn,
}) => {
  await turnOnSecondFactor(team.agent);
  const { browser: waiting } = await signOn(personOf(team.agent));
  const { browser } = await signOn({ ...personOf(team.agent), amr: ['mfa'] });
  const { account } = await screensFor(browser.headers());
  await account.disableSecondFactor({ password: PASSWORD });
  expect(await signedInAs(browser)).toBe(team.agent.id);
  expect(await signedInAs(waiting)).toBeUndefined();
});

test('continues to the consent page of the platform', async ({ service, team }) => {
  const next = `/oauth/authorize?${new URLSearchParams(REQUEST)}`;
  team.provider.person = personOf(team.admin);
  const browser = signOnBrowser(service.url);
  const end = await browser.open(`${team.startPath}?${new URLSearchParams({ next })}`);
  expect(end.searchParams.get('next')).toBe(next);
  const consent = await consentClient(service.url, browser.cookie()).open();
  expect(consent.page).toMatchObject({ kind: 'ask', workspace: { id: team.workspaceId } });
});

test('leads to no other site afterwards', async ({ service, team }) => {
  team.provider.person = personOf(team.agent);
  for (const next of ['https://evil.test/', '//evil.test/', '/\\evil.test']) {
    const end = await signOnBrowser(service.url).open(`${team.startPath}?${new URLSearchParams({ next })}`);
    expect(end.searchParams.get('next'), next).toBe('/inbox');
  }
});

describe('the attacker', () => {
  test('cannot use a callback again, nor in another browser', async ({ service, team, toCallback }) => {
    const { browser, callback } = await toCallback(personOf(team.agent));
    const other = signOnBrowser(service.url);
    expect(reasonOf(await other.open(callback.href))).toBe('expired');
    expect(await signedInAs(other)).toBeUndefined();
    // The other browser did not end the attempt.
    await browser.open(callback.href);
    expect(await signedInAs(browser)).toBe(team.agent.id);
    expect(reasonOf(await browser.open(callback.href))).toBe('expired');
  });

  test('cannot change the state, nor let a sign-in wait for more than ten minutes', async ({
    team,
    toCallback,
  }) => {
    const { browser, callback } = await toCallback(personOf(team.agent));
    const changed = new URL(callback);
    changed.searchParams.set('state', 'another');
    expect(reasonOf(await browser.open(changed.href))).toBe('expired');
    await db().verification.updateMany({
      where: { identifier: { startsWith: 'sign-on:' } },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    expect(reasonOf(await browser.open(callback.href))).toBe('expired');
    expect(await signedInAs(browser)).toBeUndefined();
  });

  test('cannot inject a code that was issued for another nonce', async ({ service, team }) => {
    team.provider.person = personOf(team.agent);
    const browser = signOnBrowser(service.url);
    const atProvider = await browser.open(team.startPath, (url) => url.origin === team.provider.issuer);
    atProvider.searchParams.set('nonce', 'that of an attacker');
    expect(reasonOf(await browser.open(atProvider.href))).toBe('untrusted');
    expect(await signedInAs(browser)).toBeUndefined();
  });

  test('cannot inject the code of another sign-in: PKCE binds it to its browser', async ({
    team,
    toCallback,
  }) => {
    const victim = await toCallback(personOf(team.owner));
    const attacker = await toCallback(personOf(team.agent));
    const mixed = new URL(attacker.callback);
    mixed.searchParams.set('code', victim.callback.searchParams.get('code') ?? '');
    expect(reasonOf(await attacker.browser.open(mixed.href))).toBe('expired');
    expect(await signedInAs(attacker.browser)).toBeUndefined();
  });

  test('cannot pass off the response of one provider as that of another', async ({
    service,
    team,
    newProvider,
    toCallback,
  }) => {
    const evil = await makeTeammates();
    const provider = await newProvider(evil.workspaceId);
    await setUpSignOn(service.url, evil, provider);
    const { browser, callback } = await toCallback(personOf(team.agent));
    const elsewhere = new URL(callback);
    elsewhere.pathname = `/sso/callback/${evil.workspaceId}`;
    expect(reasonOf(await browser.open(elsewhere.href))).toBe('expired');
    const again = await toCallback(personOf(team.agent));
    again.callback.searchParams.set('iss', provider.issuer);
    expect(reasonOf(await again.browser.open(again.callback.href))).toBe('untrusted');
    again.callback.searchParams.delete('iss');
    expect(provider.requests.filter((path) => path === '/token')).toHaveLength(1);
  });

  test('who runs the provider of a workspace gets nobody of other domains, nor of other workspaces', async ({
    service,
    team,
    newProvider,
    signOn,
  }) => {
    const { provider } = team;
    const victims = await makeTeammates();
    await setUpSignOn(service.url, victims, await newProvider(victims.workspaceId));
    const guest = await makeUser('Gus Guest', { workspaceId: team.workspaceId, role: 'admin' });
    await db().user.update({ where: { id: guest.id }, data: { email: `gus.${guest.id}@elsewhere.test` } });

    // An address outside of the domains: of the person, and of the account.
    expect(
      reasonOf((await signOn({ ...personOf(guest), email: `gus.${guest.id}@elsewhere.test` })).end),
    ).toBe('outside');
    // A domain that was only claimed.
    const { screens } = await ownerOf(team);
    await screens.singleSignOn.addDomain({ domain: 'elsewhere.test' });
    expect(
      reasonOf((await signOn({ ...personOf(guest), email: `gus.${guest.id}@elsewhere.test` })).end),
    ).toBe('outside');
    // An account in the domain that is in another workspace only.
    expect(reasonOf((await signOn(personOf(victims.agent))).end)).toBe('uninvited');
    // A member of both opens only the workspace of the provider.
    await addMember(victims.workspaceId, team.agent.id, 'owner');
    const { browser } = await signOn({ ...personOf(team.agent), amr: ['mfa'] });
    const signedIn = await findSignedIn(browser.headers());
    expect(signedIn?.workspaces.map(({ id }) => id)).toEqual([team.workspaceId]);
    expect(signedIn?.lockedWorkspaces).toMatchObject([{ id: victims.workspaceId, way: 'single_sign_on' }]);
    expect(provider.requests).toContain('/token');
  });

  test('who runs a provider cannot change what the person has in other workspaces', async ({
    team,
    signOn,
  }) => {
    const victims = await makeTeammates();
    await addMember(victims.workspaceId, team.agent.id, 'agent');
    const elsewhere = await sessionCookie(team.agent.id);
    const { browser } = await signOn(personOf(team.agent));
    const { account } = await screensFor(browser.headers());
    const limited = 'Your account is also in Acme, which this session does not open.';
    await expect(
      account.changeSignature({ workspaceId: victims.workspaceId, signature: 'Click here' }),
    ).rejects.toThrow('You cannot open this workspace.');
    await expect(account.changeName({ name: 'Mallory' })).rejects.toThrow(limited);
    await expect(account.changeAfterSolving({ afterSolving: 'list' })).rejects.toThrow(limited);
    await expect(account.sessions()).rejects.toThrow(limited);
    const { id } = await db().session.findFirstOrThrow({
      where: { userId: team.agent.id, isSingleSignOn: false },
    });
    await expect(account.endSession({ id })).rejects.toThrow(limited);
    await expect(account.endOtherSessions()).rejects.toThrow(limited);
    expect((await account.get()).limit).toContain(limited);
    const device = { userId: team.agent.id, endpoint: `https://push.example/${id}`, p256dh: '', auth: '' };
    const phone = await db().pushSubscription.create({
      data: { ...device, sessionId: id, device: 'A phone' },
    });
    const { notifications } = await screensFor(browser.headers());
    expect(await notifications.devices()).toEqual([]);
    await notifications.removeDevice({ id: phone.id });
    expect(await db().pushSubscription.count({ where: { id: phone.id } })).toBe(1);
    expect(await findSignedIn(new Headers({ cookie: elsewhere }))).toMatchObject({
      user: { name: 'Aggie Agent' },
    });

    // Their own password does, and so does a provider of the only workspace.
    const own = (await screensFor(new Headers({ cookie: elsewhere }))).account;
    await own.changeName({ name: 'Aggie Again' });
    expect((await own.get()).limit).toBeNull();
    const viewer = (await screensFor((await signOn(personOf(team.viewer))).browser.headers())).account;
    await viewer.changeName({ name: 'Vera Viewer' });
    expect(await viewer.sessions()).toHaveLength(1);
  });

  test('who runs a provider and signs in as an owner there cannot reset the second factor of teammates who are elsewhere too', async ({
    team,
    signOn,
  }) => {
    const victims = await makeTeammates();
    for (const { id } of [team.owner, team.agent]) await addMember(victims.workspaceId, id, 'owner');
    await turnOnSecondFactor(team.agent);
    const { browser } = await signOn(personOf(team.owner));
    const reset = async (headers: Headers) =>
      (await screensFor(headers)).teammates.resetSecondFactor({ userId: team.agent.id });
    await expect(reset(browser.headers())).rejects.toThrow('a workspace that this session does not open');
    expect(await db().secondFactor.count({ where: { userId: team.agent.id } })).toBe(1);
    const cookie = await sessionCookie(team.owner.id);
    await (await screensFor(new Headers({ cookie }))).session.switchWorkspace({
      workspaceId: team.workspaceId,
    });
    await reset(new Headers({ cookie }));
    expect(await db().secondFactor.count({ where: { userId: team.agent.id } })).toBe(0);
  });

  test('cannot sign a browser in by a link on another site: the visitor is asked first', async ({
    service,
    team,
  }) => {
    team.provider.person = personOf(team.agent);
    for (const site of ['cross-site', 'same-site']) {
      const response = await fetch(`${service.url}${team.startPath}?next=/contacts`, {
        headers: { 'sec-fetch-site': site },
        redirect: 'manual',
      });
      expect(response.headers.getSetCookie(), site).toEqual([]);
      expect(await response.text(), site).toContain('url=/sign-in/problem?reason=linked&amp;');
    }
    const { session } = await screensFor(new Headers());
    const question = await session.signOnProblem({ reason: 'linked', workspaceId: team.workspaceId });
    expect(question?.retryPath).toBe(team.startPath);
  });

  test('cannot replace the session of someone else in a browser', async ({ service, team, signOn }) => {
    const browser = signOnBrowser(service.url, await sessionCookie(team.viewer.id));
    const { end } = await signOn(personOf(team.agent), browser);
    expect(reasonOf(end)).toBe('other_session');
    expect(await signedInAs(browser)).toBe(team.viewer.id);
    // Nor does it link or add anyone.
    const { workspaceId } = team;
    expect(await db().signOnIdentity.count({ where: { workspaceId } })).toBe(0);
    const { session } = await screensFor(browser.headers());
    expect(
      await session.signOnProblem({ reason: 'other_session', workspaceId: team.workspaceId }),
    ).toMatchObject({ sessionOf: team.viewer.email, retryPath: team.startPath });
    // They sign out and continue.
    browser.forget(ORIGIN);
    await signOn(personOf(team.agent), browser);
    expect(await signedInAs(browser)).toBe(team.agent.id);
  });

  test('cannot link another person to an account that is linked', async ({ team, signOn }) => {
    await signOn(personOf(team.agent));
    const { browser, end } = await signOn({
      ...personOf(team.agent),
      sub: 'the next person with this address',
    });
    expect(reasonOf(end)).toBe('other_person');
    expect(await signedInAs(browser)).toBeUndefined();
  });

  test('cannot use an address that the provider does not confirm', async ({ team, signOn }) => {
    for (const claims of [
      { email_verified: false },
      { email_verified: undefined },
      { email_verified: 'false' },
      { email: undefined },
      { email: 'agent' },
    ]) {
      const { browser, end } = await signOn({ ...personOf(team.agent), ...claims });
      expect(reasonOf(end), JSON.stringify(claims)).toBe('unverified');
      expect(await signedInAs(browser)).toBeUndefined();
    }
    const entra = await signOn({ ...personOf(team.agent), email_verified: undefined, xms_edov: '1' });
    expect(await signedInAs(entra.browser)).toBe(team.agent.id);
  });

  test('cannot use a private Google account with an address of the domain', async ({ team }) => {
    const { workspaceId, agent } = team;
    const { version } = await db().singleSignOn.findUniqueOrThrow({ where: { workspaceId } });
    const identity = {
      issuer: 'https://accounts.google.com',
      subject: '1',
      email: agent.email,
      name: '',
      hasMfa: false,
    };
    const admission = { workspaceId, version, signedInId: null };
    for (const googleDomain of ['', 'elsewhere.test']) {
      await expect(
        admitPerson({ ...admission, identity: { ...identity, googleDomain } }),
        googleDomain,
      ).rejects.toMatchObject({ reason: 'outside' });
    }
    expect(
      await admitPerson({ ...admission, identity: { ...identity, googleDomain: DOMAIN } }),
    ).toMatchObject({
      id: agent.id,
    });
  });

  test('who was removed does not come back, and who was demoted stays demoted', async ({ team, signOn }) => {
    const { screens } = await ownerOf(team);
    await screens.singleSignOn.setJoinRole({ role: 'agent' });
    const { browser } = await signOn(personOf(team.agent));
    await screens.teammates.setRole({ userId: team.admin.id, role: 'viewer' });
    await screens.teammates.remove({ userId: team.agent.id });
    expect(await findSignedIn(browser.headers())).toMatchObject({ workspaces: [] });
    expect(reasonOf((await signOn(personOf(team.agent))).end)).toBe('uninvited');
    const admin = await signOn(personOf(team.admin));
    expect(await findSignedIn(admin.browser.headers())).toMatchObject({ workspace: { role: 'viewer' } });
  });

  test('cannot go on with a session that was planted in the browser', async ({ service, team, signOn }) => {
    const planted = await sessionCookie(team.agent.id);
    const { browser } = await signOn(personOf(team.agent), signOnBrowser(service.url, planted));
    expect(await signedInAs(browser)).toBe(team.agent.id);
    expect(await findSignedIn(new Headers({ cookie: planted }))).toBeNull();
  });

  test('cannot start more than 60 sign-ins a minute', async ({ service, team }) => {
    const start = () =>
      fetch(`${service.url}${team.startPath}`, { headers: { 'x-forwarded-for': '2001:db8:9::1' } });
    const texts = await Promise.all(Array.from({ length: 65 }, async () => (await start()).text()));
    expect(texts.filter((text) => text.includes('reason=busy'))).toHaveLength(5);
  });
});

describe('a provider that fails', () => {
  test('who is refused there, or cancels, learns it, and it is in the audit log', async ({
    team,
    signOn,
  }) => {
    const { end } = await signOn(null);
    expect(reasonOf(end)).toBe('denied');
    const { items } = await (await ownerOf(team)).screens.audit.list({ about: 'sign_in' });
    expect(items[0]?.sentence).toMatch(
      /^A sign-in of someone by single sign-on failed: .* did not let you in, or you cancelled\.$/,
    );
  });

  test('with another secret: an owner enters the new one, while single sign-on is required', async ({
    team,
    signOn,
  }) => {
    const { provider } = team;
    const { screens } = await ownerOf(team);
    await screens.singleSignOn.require({ isRequired: true });
    provider.clientSecret = 'a new secret for the client';
    provider.restart();
    expect(reasonOf((await signOn(personOf(team.agent))).end)).toBe('client');
    const { issuer, clientId, clientSecret } = provider;
    await screens.singleSignOn.save({ issuer, clientId, clientSecret });
    expect(await signedInAs((await signOn(personOf(team.agent))).browser)).toBe(team.agent.id);
  });

  test('with another key: the new one is read, and a signature by an unknown key is refused', async ({
    team,
    signOn,
    toCallback,
  }) => {
    const { provider } = team;
    provider.key = provider.newKey();
    provider.restart();
    expect(await signedInAs((await signOn(personOf(team.agent))).browser)).toBe(team.agent.id);
    const { browser, callback } = await toCallback(personOf(team.agent));
    const jwks = {
      keys: [{ ...provider.newKey(), kid: provider.key.kid }].map(({ kty, n, e, kid, use, alg }) => ({
        kty,
        n,
        e,
        kid,
        use,
        alg,
      })),
    };
    provider.instead = {
      path: '/jwks',
      status: 200,
      body: JSON.stringify(jwks),
      headers: { 'content-type': 'application/json' },
    };
    expect(reasonOf(await browser.open(callback.href))).toBe('untrusted');
  });

  test('with a clock that is ten minutes fast', async ({ team, signOn }) => {
    const nbf = Math.floor(Date.now() / 1_000) + 600;
    expect(reasonOf((await signOn({ ...personOf(team.agent), nbf })).end)).toBe('clock');
  });

  test('that redirects, sends too much or is gone', async ({ team, toCallback }) => {
    const { provider } = team;
    const answers = [
      { status: 302, body: '', headers: { location: 'http://127.0.0.1:1/' } },
      { status: 200, body: 'x'.repeat(600_000) },
      { status: 500, body: '{}' },
    ];
    const expected = ['provider', 'unreachable', 'provider'];
    for (const [index, answer] of answers.entries()) {
      const { browser, callback } = await toCallback(personOf(team.agent));
      provider.instead = { path: '/token', ...answer };
      expect(reasonOf(await browser.open(callback.href)), `${index}`).toBe(expected[index]);
      provider.instead = null;
    }
    const { browser, callback } = await toCallback(personOf(team.agent));
    await provider.stop();
    expect(reasonOf(await browser.open(callback.href))).toBe('unreachable');
    expect(await signedInAs(browser)).toBeUndefined();
  });
});

describe('people who are not in the workspace', () => {
  const newcomer = (name: string) => ({
    sub: name,
    email: `${name}@${DOMAIN}`,
    email_verified: true,
    name: 'Nia New',
  });

  test('need an invitation, which their sign-in accepts', async ({ team, signOn }) => {
    const person = newcomer(`nia.${team.workspaceId}`);
    expect(reasonOf((await signOn(person)).end)).toBe('uninvited');
    const { screens } = await ownerOf(team);
    await screens.invitations.invite({ email: person.email, role: 'admin' });
    const token = newSecret();
    await db().invitation.updateMany({ where: { email: person.email }, data: { tokenHash: digest(token) } });
    const { invitations } = await screensFor(new Headers());
    expect(await invitations.get({ token })).toMatchObject({ next: 'sign_on', signOnPath: team.startPath });
    const { browser } = await signOn(person);
    expect(await findSignedIn(browser.headers())).toMatchObject({
      user: { name: 'Nia New', email: person.email },
      workspace: { id: team.workspaceId, role: 'admin' },
    });
    expect(await screens.invitations.list()).toEqual([]);
  });

  test('can accept it with a password instead, unless single sign-on is required of them', async ({
    team,
  }) => {
    const { screens } = await ownerOf(team);
    const { invitations } = await screensFor(new Headers());
    const invite = async (name: string, role: 'agent' | 'owner') => {
      const { email } = newcomer(`${name}.${team.workspaceId}`);
      const { id } = await screens.invitations.invite({ email, role });
      const token = newSecret();
      await db().invitation.update({ where: { id }, data: { tokenHash: digest(token) } });
      return { token, withPassword: true };
    };
    const agent = await invite('pat', 'agent');
    expect(await invitations.get({ token: agent.token })).toMatchObject({
      next: 'sign_on',
      takesPassword: true,
    });
    expect(await invitations.get(agent)).toMatchObject({ next: 'join' });
    await screens.singleSignOn.require({ isRequired: true });
    expect(await invitations.get(agent)).toMatchObject({ next: 'sign_on', takesPassword: false });
    expect(await invitations.get(await invite('olga', 'owner'))).toMatchObject({ next: 'join' });
  });

  test('see only the conversations that their invitation limits them to, also when they return', async ({
    team,
    signOn,
  }) => {
    const person = newcomer(`lin.${team.workspaceId}`);
    const { screens } = await ownerOf(team);
    await screens.invitations.invite({ email: person.email, role: 'agent', onlyAssigned: true });
    const isLimited = async () => {
      const signedIn = await findSignedIn((await signOn(person)).browser.headers());
      return { userId: signedIn?.user.id ?? '', onlyAssigned: signedIn?.workspace?.visibility?.onlyAssigned };
    };
    const { userId, onlyAssigned } = await isLimited();
    expect(onlyAssigned).toBe(true);
    await screens.teammates.remove({ userId });
    await screens.invitations.invite({ email: person.email, role: 'agent' });
    expect(await isLimited()).toEqual({ userId, onlyAssigned: true });
    expect(await db().user.findUniqueOrThrow({ where: { id: userId } })).toMatchObject({ limitedIn: [] });
  });

  test('join in the chosen role if the workspace lets them, twice at the same time too', async ({
    service,
    team,
  }) => {
    const { screens } = await ownerOf(team);
    await screens.singleSignOn.setJoinRole({ role: 'viewer' });
    team.provider.person = newcomer(`ned.${team.workspaceId}`);
    const browsers = [signOnBrowser(service.url), signOnBrowser(service.url)];
    const callbacks = await Promise.all(browsers.map((browser) => browser.open(team.startPath, isCallback)));
    await Promise.all(browsers.map((browser, n) => browser.open(callbacks[n]?.href ?? ORIGIN)));
    const [first, second] = await Promise.all(browsers.map((browser) => findSignedIn(browser.headers())));
    expect(first).toMatchObject({ workspace: { id: team.workspaceId, role: 'viewer' } });
    expect(second?.user.id).toBe(first?.user.id);
  });

  test('join another workspace by invitation, which their session does not open', async ({
    team,
    signOn,
  }) => {
    const other = await makeTeammates();
    const { screens } = await ownerOf(other);
    const { email } = team.agent;
    await screens.invitations.invite({ email, role: 'agent' });
    const token = newSecret();
    await db().invitation.updateMany({ where: { email }, data: { tokenHash: digest(token) } });
    const { browser } = await signOn(personOf(team.agent));
    const { invitations } = await screensFor(browser.headers());
    expect(await invitations.accept({ token })).toEqual({
      workspaceId: other.workspaceId,
      closedBy: 'sign_in',
    });
    const signedIn = await findSignedIn(browser.headers());
    expect(signedIn?.lockedWorkspaces).toMatchObject([{ id: other.workspaceId }]);
    const session = await db().session.findUniqueOrThrow({ where: { id: signedIn?.sessionId ?? '' } });
    expect(session.workspaceId).toBe(team.workspaceId);
  });

  test('get the address of a teammate who was removed, whose sessions stay closed', async ({
    team,
    signOn,
  }) => {
    const before = await signOn(personOf(team.agent));
    const successor = { ...personOf(team.agent), sub: 'the next person with this address' };
    expect(reasonOf((await signOn(successor)).end)).toBe('other_person');
    const { screens } = await ownerOf(team);
    await screens.teammates.remove({ userId: team.agent.id });
    await screens.invitations.invite({ email: team.agent.email, role: 'viewer' });
    const { browser } = await signOn(successor);
    expect(await findSignedIn(browser.headers())).toMatchObject({
      workspace: { id: team.workspaceId, role: 'viewer' },
    });
    expect(await findSignedIn(before.browser.headers())).toMatchObject({ workspaces: [] });
    expect(reasonOf((await signOn(personOf(team.agent))).end)).toBe('other_person');
  });

  test('do not join with an account that exists: it may have been removed', async ({ team, signOn }) => {
    const { screens } = await ownerOf(team);
    await screens.singleSignOn.setJoinRole({ role: 'agent' });
    expect(reasonOf((await signOn(personOf(await makeUser('Else Where')))).end)).toBe('uninvited');
  });
});
