import { describe, expect } from 'vitest';
import { verifySignOnDomain } from '#server/administration/single-sign-on/sign-on-domains.ts';
import { createTestWorkspace } from '#server/administration/workspaces/create-test-workspace.ts';
import { db } from '#server/core/database/prisma.ts';
import { screensFor } from '#server/screens/router.ts';
import { findEndedSessions, findSignedIn } from '#server/teammates/signed-in.ts';
import { consentClient } from '#test/clients/consent-client.ts';
import { ORIGIN, PASSWORD, signInAs } from '#test/clients/sign-in.ts';
import { signOnBrowser } from '#test/clients/sign-on-browser.ts';
import { addMember, makeWorkspace } from '#test/fixtures/factories.ts';
import { addVerifiedDomain, ownerOf, personOf, test as signOnTest } from '#test/fixtures/sign-on-test.ts';
import { makeTeammates, sessionCookie } from '#test/fixtures/teammates.ts';
import { startDnsServer } from '#test/servers/dns-server.ts';

const test = signOnTest
  /** A team that requires single sign-on. */
  .extend('strict', async ({ team }) => {
    const { screens } = await ownerOf(team);
    await screens.singleSignOn.require({ isRequired: true });
    return team;
  })
  .extend('open', () => async (user: { id: string }) => {
    const cookie = await sessionCookie(user.id);
    return { cookie, signedIn: () => findSignedIn(new Headers({ cookie })) };
  });

describe('when single sign-on is required', () => {
  test('the password of a person in the domain opens the workspace no longer, but other workspaces', async ({
    service,
    strict,
    open,
  }) => {
    const other = await makeWorkspace({ name: 'Other' });
    await addMember(other.id, strict.agent.id, 'agent');
    const { signedIn } = await open(strict.agent);
    expect(await signedIn()).toMatchObject({
      workspace: { id: other.id },
      workspaces: [{ id: other.id }],
      lockedWorkspaces: [{ id: strict.workspaceId, way: 'single_sign_on' }],
    });
    const cookie = await signInAs(service.url, strict.viewer);
    expect(await findSignedIn(new Headers({ cookie }))).toMatchObject({ workspace: null });
    const headers = { cookie, 'x-workspace-id': strict.workspaceId };
    for (const path of [
      '/live',
      '/settings/audit-log.csv',
      '/attachments/1',
      '/mails/1',
      '/api/screens/inbox.list',
    ]) {
      const { status } = await fetch(`${service.url}${path}`, { headers, redirect: 'manual' });
      expect([303, 307, 401, 403, 404], path).toContain(status);
    }
    const screens = await screensFor(new Headers({ cookie }));
    await expect(screens.inbox.list({})).rejects.toThrow('Sign in and open a workspace');
    const consent = await consentClient(service.url, cookie).open();
    expect(consent.location?.pathname).toBe(strict.startPath);
  });

  test('a test workspace is not offered beside its own workspace, whose provider opens both', async ({
    service,
    strict,
    open,
    signOn,
  }) => {
    const { id: testId } = await createTestWorkspace({ workspaceId: strict.workspaceId, by: strict.owner });
    const { cookie, signedIn } = await open(strict.agent);
    const { session } = await screensFor(new Headers({ cookie }));
    expect((await session.current())?.lockedWorkspaces).toMatchObject([{ signOnPath: strict.startPath }]);
    expect(await signedIn()).toMatchObject({ workspaces: [] });
    const { browser } = await signOn(personOf(strict.agent), signOnBrowser(service.url, cookie));
    const { workspaces, lockedWorkspaces } = (await findSignedIn(browser.headers())) ?? {};
    expect(workspaces?.map(({ id }) => id)).toEqual([strict.workspaceId, testId]);
    expect(lockedWorkspaces).toEqual([]);
  });

  test('owners get in with their password, and people outside of the domain too', async ({
    strict,
    open,
  }) => {
    await db().user.update({
      where: { id: strict.admin.id },
      data: { email: `guest.${strict.admin.id}@elsewhere.test` },
    });
    for (const role of ['owner', 'admin'] as const) {
      const { signedIn } = await open(strict[role]);
      expect(await signedIn()).toMatchObject({ workspace: { id: strict.workspaceId, role } });
    }
  });

  test('open pages of people in the domain end', async ({ team, open }) => {
    const { workspaceId } = team;
    const sessions = await Promise.all(
      [team.agent, team.owner].map(async (user) => {
        const signedIn = await (await open(user)).signedIn();
        return { sessionId: signedIn?.sessionId ?? '', workspaceId };
      }),
    );
    expect(await findEndedSessions(sessions)).toEqual([]);
    await (await ownerOf(team)).screens.singleSignOn.require({ isRequired: true });
    expect(await findEndedSessions(sessions)).toEqual([sessions[0]]);
  });

  test('open pages stay when the workspace that was opened last is closed to the session', async ({
    strict,
    open,
  }) => {
    const other = await makeWorkspace({ name: 'Other' });
    await addMember(other.id, strict.agent.id, 'agent');
    const signedIn = await (await open(strict.agent)).signedIn();
    const sessionId = signedIn?.sessionId ?? '';
    await db().session.update({ where: { id: sessionId }, data: { workspaceId: strict.workspaceId } });
    expect(signedIn?.workspace?.id).toBe(other.id);
    expect(await findEndedSessions([{ sessionId, workspaceId: other.id }])).toEqual([]);
  });

  test('a sign-in through the provider adds the workspace to the session of the password', async ({
    service,
    strict,
    open,
    signOn,
  }) => {
    const other = await makeWorkspace({ name: 'Other' });
    await addMember(other.id, strict.agent.id, 'agent');
    const { cookie } = await open(strict.agent);
    const { browser } = await signOn(personOf(strict.agent), signOnBrowser(service.url, cookie));
    const signedIn = await findSignedIn(browser.headers());
    expect(signedIn?.workspaces.map(({ id }) => id).toSorted()).toEqual(
      [other.id, strict.workspaceId].toSorted(),
    );
    expect(signedIn?.workspace?.id).toBe(strict.workspaceId);
  });

  test('a sign-in counts for seven days', async ({ strict, signOn }) => {
    const { browser } = await signOn(personOf(strict.agent));
    await db().sessionSignOn.updateMany({ data: { signedOnAt: new Date(Date.now() - 7 * 24 * 3_600_000) } });
    expect(await findSignedIn(browser.headers())).toMatchObject({
      workspace: null,
      lockedWorkspaces: [{ way: 'single_sign_on' }],
    });
  });

  test('a person cannot take their address out of the domain to use their password', async ({
    strict,
    open,
  }) => {
    const { cookie } = await open(strict.agent);
    const { account } = await screensFor(new Headers({ cookie }));
    await expect(account.changeAddress({ email: 'me@elsewhere.test', password: PASSWORD })).rejects.toThrow(
      'requires single sign-on for your address',
    );
    await addVerifiedDomain(strict.workspaceId, 'second.test');
    await account.changeAddress({ email: `me.${strict.agent.id}@second.test`, password: PASSWORD });
  });

  test('the requirement of a second factor is met by a provider that reports several factors', async ({
    strict,
    signOn,
  }) => {
    await db().workspace.update({
      where: { id: strict.workspaceId },
      data: { secondFactorFrom: new Date(Date.now() - 1_000) },
    });
    const without = await signOn(personOf(strict.agent));
    expect(await findSignedIn(without.browser.headers())).toMatchObject({
      workspace: null,
      closedWorkspaces: ['Acme'],
    });
    const withMfa = await signOn({ ...personOf(strict.agent), amr: ['mfa'] });
    expect(await findSignedIn(withMfa.browser.headers())).toMatchObject({
      workspace: { id: strict.workspaceId },
    });
  });

  test('nobody but an owner changes anything, and another provider needs the requirement off', async ({
    strict,
    newProvider,
    signOn,
  }) => {
    const { browser } = await signOn(personOf(strict.admin));
    const { singleSignOn } = await screensFor(browser.headers());
    await expect(singleSignOn.get()).rejects.toThrow('Only an owner');
    const { screens } = await ownerOf(strict);
    const { issuer, clientId, clientSecret } = await newProvider(strict.workspaceId);
    await expect(screens.singleSignOn.save({ issuer, clientId, clientSecret })).rejects.toThrow('Turn off');
    await screens.singleSignOn.require({ isRequired: false });
    expect(await findSignedIn(browser.headers())).toMatchObject({ workspace: { id: strict.workspaceId } });
    await screens.singleSignOn.save({ issuer, clientId, clientSecret });
    // What the provider before confirmed counts no longer.
    expect(await findSignedIn(browser.headers())).toMatchObject({ workspace: null });
    await expect(screens.singleSignOn.require({ isRequired: true })).rejects.toThrow(
      'Test the sign-in first',
    );
  });

  test('sessions that it opened stay when the domain or the provider is removed', async ({
    strict,
    signOn,
    open,
  }) => {
    const { browser } = await signOn(personOf(strict.agent));
    const { screens } = await ownerOf(strict);
    const [domain] = (await screens.singleSignOn.get()).domains;
    await screens.singleSignOn.removeDomain({ domainId: domain?.id ?? '' });
    const isOpen = async () => (await findSignedIn(browser.headers()))?.workspace?.id === strict.workspaceId;
    expect(await isOpen()).toBe(true);
    // The password works again.
    expect(await (await open(strict.agent)).signedIn()).toMatchObject({
      workspace: { id: strict.workspaceId },
    });
    await screens.singleSignOn.remove();
    expect(await isOpen()).toBe(true);
    expect((await signOn(personOf(strict.agent))).end.searchParams.get('reason')).toBe('off');
  });
});

test('a workspace whose provider was not tested offers no sign-in there', async ({ team, signOn }) => {
  const other = await makeTeammates();
  await addMember(other.workspaceId, team.agent.id, 'agent');
  await addVerifiedDomain(other.workspaceId);
  await db().singleSignOn.create({
    data: {
      workspaceId: other.workspaceId,
      issuer: 'https://id.test',
      clientId: 'inbox',
      clientSecret: Buffer.from(''),
    },
  });
  const { browser } = await signOn(personOf(team.agent));
  const locked = async () => (await findSignedIn(browser.headers()))?.lockedWorkspaces;
  expect(await locked()).toMatchObject([{ id: other.workspaceId, way: 'sign_in' }]);
  await db().singleSignOn.update({
    where: { workspaceId: other.workspaceId },
    data: { testedAt: new Date() },
  });
  expect(await locked()).toMatchObject([{ id: other.workspaceId, way: 'single_sign_on' }]);
});

describe('setting it up', () => {
  test('a domain is verified by its DNS record, and the sign-in page knows it once the provider was tested', async ({
    team,
  }) => {
    const dns = await startDnsServer();
    try {
      const { session } = await screensFor(new Headers());
      const { screens } = await ownerOf(team);
      const name = `dns-${team.workspaceId}.test`;
      await screens.singleSignOn.addDomain({ domain: name.toUpperCase() });
      const found = (await screens.singleSignOn.get()).domains.find(({ domain }) => domain === name);
      const which = { workspaceId: team.workspaceId, domainId: found?.id ?? '', by: team.owner };
      expect(await verifySignOnDomain(dns.resolver, which)).toContain('There is no TXT record');
      expect(await session.signOns({ email: `ada@${name}` })).toEqual([]);
      dns.answers.set(found?.record.name ?? '', [[found?.record.value ?? '']]);
      expect(await verifySignOnDomain(dns.resolver, which)).toBeNull();
      expect(await session.signOns({ email: `ada@${name}` })).toEqual([
        { workspaceName: 'Acme', path: team.startPath },
      ]);
      expect(await session.signOns({ email: 'not an address' })).toEqual([]);
    } finally {
      await dns.stop();
    }
  });

  test('a domain that is verified for email needs no other record', async ({ team }) => {
    const { screens } = await ownerOf(team);
    const { domain } = await db().emailDomain.findFirstOrThrow({ where: { workspaceId: team.workspaceId } });
    expect(await screens.singleSignOn.addDomain({ domain })).toEqual({ isVerified: true });
    await expect(screens.singleSignOn.addDomain({ domain })).rejects.toThrow('in the list already');
  });

  test('a test by someone else, or whose provider changed meanwhile, does not count', async ({
    service,
    team,
  }) => {
    const { screens } = await ownerOf(team);
    const { testPath } = await screens.singleSignOn.get();
    await db().singleSignOn.updateMany({ data: { testedAt: null } });
    const admin = signOnBrowser(service.url, await sessionCookie(team.admin.id));
    expect((await admin.open(testPath)).searchParams.get('reason')).toBe('off');
    team.provider.person = { ...personOf(team.owner), email: 'owner@elsewhere.test' };
    const owner = signOnBrowser(service.url, await sessionCookie(team.owner.id));
    expect((await owner.open(testPath)).search).toBe('?test=outside');
    expect((await screens.singleSignOn.get()).provider?.testedAt).toBeNull();
    // Until a test succeeds, nobody signs in.
    expect((await signOnBrowser(service.url).open(team.startPath)).searchParams.get('reason')).toBe('off');
  });

  test('an issuer must be a provider in the public internet that names itself so', async ({ team }) => {
    const { screens } = await ownerOf(team);
    const { provider } = team;
    const save = (issuer: string) =>
      screens.singleSignOn.save({ issuer, clientId: 'other', clientSecret: 'secret' });
    await expect(save('http://example.com')).rejects.toMatchObject({
      cause: { errors: { issuer: ['The address must start with https.'] } },
    });
    for (const issuer of [
      'https://10.0.0.1',
      'https://[::1]/',
      'https://169.254.169.254/latest',
      'https://intranet',
    ])
      await expect(save(issuer), issuer).rejects.toMatchObject({
        cause: { errors: { issuer: ['This host is not in the public internet.'] } },
      });
    await expect(save('https://user:secret@example.com')).rejects.toMatchObject({
      cause: { errors: { issuer: [expect.stringContaining('user name')] } },
    });
    // As Microsoft's issuer for everyone does.
    provider.instead = {
      path: '/.well-known/openid-configuration',
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ issuer: `${provider.issuer}/{tenantid}/v2.0` }),
    };
    await expect(save(provider.issuer)).rejects.toMatchObject({
      cause: { errors: { issuer: [expect.stringContaining('another issuer')] } },
    });
    provider.instead = null;
    await screens.singleSignOn.save({
      issuer: `${provider.issuer}/.well-known/openid-configuration`,
      clientId: 'other',
      clientSecret: 'secret',
    });
    expect((await screens.singleSignOn.get()).provider).toMatchObject({
      issuer: provider.issuer,
      testedAt: null,
    });
  });

  test('the client secret is encrypted, and no screen returns it', async ({ team }) => {
    const { screens } = await ownerOf(team);
    const { clientSecret } = await db().singleSignOn.findUniqueOrThrow({
      where: { workspaceId: team.workspaceId },
    });
    expect(Buffer.from(clientSecret).toString('latin1')).not.toContain(team.provider.clientSecret);
    expect(JSON.stringify(await screens.singleSignOn.get())).not.toContain(team.provider.clientSecret);
    expect((await screens.singleSignOn.get()).redirectUri).toBe(`${ORIGIN}/sso/callback/${team.workspaceId}`);
    const other = await makeTeammates();
    expect((await (await ownerOf(other)).screens.singleSignOn.get()).provider).toBeNull();
  });
});
