import { describe, expect } from 'vitest';
import { endConnection } from '#server/automation/connections/end-connection.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { type consentClient, formOf, REQUEST } from '#test/clients/consent-client.ts';
import { addMember, makeUser, makeWorkspace } from '#test/fixtures/factories.ts';
import { type BrowserOf, test } from '#test/fixtures/platform-test.ts';

describe('docs/spec.md §4.1: the content of the consent page', () => {
  test.for(['owner', 'admin'] as const)(
    'the page asks an %s about the open workspace',
    async (role, { browserOf }) => {
      const workspace = await makeWorkspace({ name: 'Harbour' });
      const { browser, teammate } = await signedIn(browserOf, [workspace.id, role]);
      const { status, page } = await browser.open({ ...REQUEST, state: 'abc', scope: 'ignored' });
      expect(status).toBe(200);
      expect(page).toEqual({
        kind: 'ask',
        platformName: 'Workflow Platform',
        serviceName: 'Shared Inbox',
        workspace: { id: workspace.id, name: 'Harbour' },
        teammate: { name: 'Grace Hopper', email: teammate.email },
        earlier: null,
        form: {
          action: '/oauth/authorize',
          fields: [
            ...Object.entries({ ...REQUEST, state: 'abc' }).map(([name, value]) => ({ name, value })),
            { name: 'form', value: expect.stringMatching(/^[0-9A-Za-z]{43}$/) },
          ],
          workspaces: [{ id: workspace.id, name: 'Harbour', hasFreeSlot: true }],
        },
      });
    },
  );

  test.for(['agent', 'viewer'] as const)(
    'the page tells %s members of the open workspace that only owners and admins can connect, and lists both',
    async (role, { browserOf }) => {
      const workspace = await makeWorkspace();
      const [otto, olga] = [await makeUser('Otto Owner'), await makeUser('Olga Owner')];
      for (const owner of [otto, olga]) await addMember(workspace.id, owner.id, 'owner');
      const adam = await makeUser('Adam Admin');
      await addMember(workspace.id, adam.id, 'admin');
      const { browser } = await signedIn(browserOf, [workspace.id, role]);
      const { status, page } = await browser.open();
      expect(status).toBe(200);
      const owners = [olga, otto, adam].map(({ name, email }) => ({ name, email }));
      expect(page).toMatchObject({ kind: 'not_allowed', owners, form: { workspaces: [] } });
    },
  );

  test('an agent here who is an admin elsewhere is offered that workspace', async ({ browserOf }) => {
    const open = await makeWorkspace({ name: 'Here' });
    const elsewhere = await makeWorkspace({ name: 'Elsewhere' });
    const { browser } = await signedIn(browserOf, [open.id, 'agent'], [elsewhere.id, 'admin']);
    const { page } = await browser.open();
    expect(page).toMatchObject({
      kind: 'not_allowed',
      workspace: { name: 'Here' },
      form: { workspaces: [{ id: elsewhere.id, name: 'Elsewhere', hasFreeSlot: true }] },
    });
  });

  test('without a free slot the page shows the plan and offers the other workspaces', async ({
    browserOf,
  }) => {
    const full = await fullWorkspace('Full');
    const other = await makeWorkspace({ name: 'Other' });
    const { browser } = await signedIn(browserOf, [full.id, 'owner'], [other.id, 'owner']);
    const { status, page } = await browser.open();
    expect(status).toBe(200);
    const noSlot = { kind: 'no_slot', planName: 'Starter', workspace: { name: 'Full' } };
    expect(page).toMatchObject({ ...noSlot, isOwner: true });
    const admin = await signedIn(browserOf, [full.id, 'admin']);
    const { email } = await db().user.findFirstOrThrow({
      where: { memberships: { some: { workspaceId: full.id, role: 'owner' } } },
    });
    expect((await admin.browser.open()).page).toMatchObject({
      ...noSlot,
      isOwner: false,
      owners: [{ email }],
    });
    expect(page && 'form' in page && page.form.workspaces).toEqual([
      { id: full.id, name: 'Full', hasFreeSlot: false },
      { id: other.id, name: 'Other', hasFreeSlot: true },
    ]);
  });

  test('a full plan does not matter if the platform already has a slot', async ({ browserOf }) => {
    const workspace = await makeWorkspace({ plan: 'starter' });
    const first = await signedIn(browserOf, [workspace.id, 'owner']);
    const response = await first.browser.post(formOf(await first.browser.open()));
    expect(response.location?.searchParams.has('code')).toBe(true);
    const second = await signedIn(browserOf, [workspace.id, 'admin']);
    expect((await second.browser.open()).page?.kind).toBe('ask');
  });

  test('all workspaces to choose from are listed: the open one first, the others by name', async ({
    browserOf,
  }) => {
    const names = ['Midway', 'Zebra', 'Alpha', 'Nobody’s', 'Watched'];
    const workspaces = await Promise.all(names.map((name) => makeWorkspace({ name })));
    const roles: Role[] = ['owner', 'admin', 'owner', 'agent', 'viewer'];
    const { browser } = await signedIn(
      browserOf,
      ...workspaces.map(({ id }, i): [string, Role] => [id, roles[i] ?? 'viewer']),
    );
    await makeWorkspace({ name: 'Unrelated' });
    const { page } = await browser.open();
    const offered = page && 'form' in page ? page.form.workspaces.map(({ name }) => name) : [];
    expect(offered).toEqual(['Midway', 'Alpha', 'Zebra']);
  });

  test('a teammate without a workspace sees that, and no form', async ({ browserOf }) => {
    const { browser } = await signedIn(browserOf);
    const { status, page } = await browser.open();
    expect(status).toBe(200);
    expect(page).toEqual({
      kind: 'no_workspace',
      closed: [],
      platformName: 'Workflow Platform',
      serviceName: 'Shared Inbox',
    });
  });

  test('an owner whose workspace is closed until they have a second factor sees its name', async ({
    browserOf,
  }) => {
    const workspace = await makeWorkspace({ name: 'Harbour' });
    await db().workspace.update({ where: { id: workspace.id }, data: { secondFactorFrom: new Date(0) } });
    const { browser } = await signedIn(browserOf, [workspace.id, 'owner']);
    const { page } = await browser.open();
    expect(page).toMatchObject({ kind: 'no_workspace', closed: ['Harbour'] });
  });

  test('the page lists at most three owners and admins, owners first', async ({ browserOf }) => {
    const workspace = await makeWorkspace();
    for (const name of ['Dora', 'Anna', 'Carl', 'Bert']) {
      await addMember(workspace.id, (await makeUser(name)).id, name === 'Dora' ? 'owner' : 'admin');
    }
    const { browser } = await signedIn(browserOf, [workspace.id, 'agent']);
    const { page } = await browser.open();
    const named = page?.kind === 'not_allowed' ? page.owners.map(({ name }) => name) : [];
    expect(named).toEqual(['Dora', 'Anna', 'Bert']);
  });

  test('opening the page connects nothing', async ({ browserOf }) => {
    const workspace = await makeWorkspace();
    const { browser } = await signedIn(browserOf, [workspace.id, 'owner']);
    for (let i = 0; i < 3; i += 1) await browser.open();
    expect(await db().connection.count({ where: { workspaceId: workspace.id } })).toBe(0);
    expect(await db().integration.count({ where: { workspaceId: workspace.id } })).toBe(0);
    expect(await db().auditEntry.count({ where: { workspaceId: workspace.id } })).toBe(0);
  });
});

describe('RFC 7636 §4.1: a challenge belongs to one attempt, so the page recognizes it after Back', () => {
  const challenge = { code_challenge: 'c'.repeat(43), code_challenge_method: 'S256' };
  const earlierOf = async (browser: ReturnType<typeof consentClient>, query: Record<string, string>) => {
    const { page } = await browser.open({ ...REQUEST, ...query });
    return page?.kind === 'ask' ? page.earlier : undefined;
  };

  test('and shows that it was approved, for which workspace, and whether the code was exchanged', async ({
    browserOf,
  }) => {
    const workspace = await makeWorkspace({ name: 'Harbour' });
    const { browser } = await signedIn(browserOf, [workspace.id, 'owner']);
    expect(await earlierOf(browser, challenge)).toBeNull();
    const approved = await browser.post(formOf(await browser.open({ ...REQUEST, ...challenge })));
    expect(approved.status).toBe(303);
    expect(await earlierOf(browser, challenge)).toEqual({ workspaceName: 'Harbour', isWaiting: true });
    await db().connection.updateMany({
      where: { workspaceId: workspace.id },
      data: { exchangedAt: new Date() },
    });
    expect(await earlierOf(browser, challenge)).toEqual({ workspaceName: 'Harbour', isWaiting: false });
  });

  test('but not for another challenge or method, a colleague, or a request without a challenge', async ({
    browserOf,
  }) => {
    const workspace = await makeWorkspace();
    const { browser } = await signedIn(browserOf, [workspace.id, 'owner']);
    await browser.post(formOf(await browser.open({ ...REQUEST, ...challenge })));
    expect(await earlierOf(browser, { ...challenge, code_challenge: 'd'.repeat(43) })).toBeNull();
    expect(await earlierOf(browser, { ...challenge, code_challenge_method: 'plain' })).toBeNull();
    const colleague = await signedIn(browserOf, [workspace.id, 'admin']);
    expect(await earlierOf(colleague.browser, challenge)).toBeNull();
    await browser.post(formOf(await browser.open()));
    expect(await earlierOf(browser, {})).toBeNull();
  });

  test('and not after the connection has ended; approving again remains possible', async ({ browserOf }) => {
    const workspace = await makeWorkspace();
    const { browser } = await signedIn(browserOf, [workspace.id, 'owner']);
    for (let i = 0; i < 2; i += 1) {
      const response = await browser.post(formOf(await browser.open({ ...REQUEST, ...challenge })));
      expect(response.location?.searchParams.has('code')).toBe(true);
    }
    const connections = await db().connection.findMany({ where: { workspaceId: workspace.id } });
    expect(connections).toHaveLength(2);
    for (const { id } of connections) {
      await inTransaction((tx) => endConnection(tx, { id, reason: 'never_exchanged' }));
    }
    expect(await earlierOf(browser, challenge)).toBeNull();
  });
});

/** Creates a signed-in teammate with a role in each workspace; the first workspace is open. */
async function signedIn(browserOf: BrowserOf, ...memberships: [workspaceId: string, role: Role][]) {
  const teammate = await makeUser('Grace Hopper');
  for (const [workspaceId, role] of memberships) await addMember(workspaceId, teammate.id, role);
  return { teammate, browser: await browserOf(teammate) };
}

async function fullWorkspace(name: string) {
  const workspace = await makeWorkspace({ plan: 'starter', name });
  await db().integration.create({ data: { workspaceId: workspace.id, kind: 'shop', name: 'Shop' } });
  return workspace;
}
