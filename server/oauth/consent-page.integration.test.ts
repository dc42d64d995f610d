import { describe, expect, test } from 'vitest';
import { db } from '#server/db.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { consentClient, formOf, REQUEST } from '#test/consent-client.ts';
import { addMember, makeUser, makeWorkspace } from '#test/factories.ts';
import { signInAs } from '#test/sign-in.ts';
import { withTestService } from '#test/with-service.ts';

const service = withTestService();

/** A teammate with a role in each of some workspaces; the first is the one open at sign-in. */
async function signedIn(...memberships: [workspaceId: string, role: Role][]) {
  const teammate = await makeUser('Grace Hopper');
  for (const [workspaceId, role] of memberships) await addMember(workspaceId, teammate.id, role);
  return { teammate, browser: consentClient(service.url, await signInAs(service.url, teammate)) };
}

/** A Starter workspace whose only slot another kind of integration has. */
async function fullWorkspace(name: string) {
  const workspace = await makeWorkspace({ plan: 'starter', name });
  await db().integration.create({ data: { workspaceId: workspace.id, kind: 'shop', name: 'Shop' } });
  return workspace;
}

describe('spec.md §4.1: what the consent page shows', () => {
  test.each(['owner', 'admin'] as const)(
    'an owner or admin is asked about the open workspace: %s',
    async (role) => {
      const workspace = await makeWorkspace({ name: 'Harbour' });
      const { browser, teammate } = await signedIn([workspace.id, role]);
      const { status, page } = await browser.open({ ...REQUEST, state: 'abc', scope: 'ignored' });
      expect(status).toBe(200);
      expect(page).toEqual({
        kind: 'ask',
        platformName: 'Workflow Platform',
        serviceName: 'Shared Inbox',
        workspace: { id: workspace.id, name: 'Harbour' },
        teammate: { name: 'Grace Hopper', email: teammate.email },
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

  test.each(['agent', 'viewer'] as const)(
    'who is %s in the open workspace is told that only owners and admins connect',
    async (role) => {
      const { browser } = await signedIn([(await makeWorkspace()).id, role]);
      const { status, page } = await browser.open();
      expect(status).toBe(200);
      expect(page).toMatchObject({ kind: 'not_allowed', form: { workspaces: [] } });
    },
  );

  test('an agent here who is an admin elsewhere is offered that workspace', async () => {
    const open = await makeWorkspace({ name: 'Here' });
    const elsewhere = await makeWorkspace({ name: 'Elsewhere' });
    const { browser } = await signedIn([open.id, 'agent'], [elsewhere.id, 'admin']);
    const { page } = await browser.open();
    expect(page).toMatchObject({
      kind: 'not_allowed',
      workspace: { name: 'Here' },
      form: { workspaces: [{ id: elsewhere.id, name: 'Elsewhere', hasFreeSlot: true }] },
    });
  });

  test('without a free slot the page names the plan, and offers the other workspaces', async () => {
    const full = await fullWorkspace('Full');
    const other = await makeWorkspace({ name: 'Other' });
    const { browser } = await signedIn([full.id, 'owner'], [other.id, 'owner']);
    const { status, page } = await browser.open();
    expect(status).toBe(200);
    expect(page).toMatchObject({ kind: 'no_slot', planName: 'Starter', workspace: { name: 'Full' } });
    expect(page && 'form' in page && page.form.workspaces).toEqual([
      { id: full.id, name: 'Full', hasFreeSlot: false },
      { id: other.id, name: 'Other', hasFreeSlot: true },
    ]);
  });

  test('a full plan does not matter when the platform already holds one of the slots', async () => {
    const workspace = await makeWorkspace({ plan: 'starter' });
    const first = await signedIn([workspace.id, 'owner']);
    const answer = await first.browser.post(formOf(await first.browser.open()));
    expect(answer.location?.searchParams.has('code')).toBe(true);
    const second = await signedIn([workspace.id, 'admin']);
    expect((await second.browser.open()).page?.kind).toBe('ask');
  });

  test('every workspace that can be chosen is listed: the open one first, the others by name', async () => {
    const names = ['Midway', 'Zebra', 'Alpha', 'Nobody’s', 'Watched'];
    const workspaces = await Promise.all(names.map((name) => makeWorkspace({ name })));
    const roles: Role[] = ['owner', 'admin', 'owner', 'agent', 'viewer'];
    const { browser } = await signedIn(
      ...workspaces.map(({ id }, i): [string, Role] => [id, roles[i] ?? 'viewer']),
    );
    await makeWorkspace({ name: 'A stranger’s' });
    const { page } = await browser.open();
    const offered = page && 'form' in page ? page.form.workspaces.map(({ name }) => name) : [];
    expect(offered).toEqual(['Midway', 'Alpha', 'Zebra']);
  });

  test('a teammate without any workspace is told so, and has no form', async () => {
    const { browser } = await signedIn();
    const { status, page } = await browser.open();
    expect(status).toBe(200);
    expect(page).toEqual({
      kind: 'no_workspace',
      platformName: 'Workflow Platform',
      serviceName: 'Shared Inbox',
    });
  });

  test('looking at the page connects nothing', async () => {
    const workspace = await makeWorkspace();
    const { browser } = await signedIn([workspace.id, 'owner']);
    for (let i = 0; i < 3; i += 1) await browser.open();
    expect(await db().connection.count({ where: { workspaceId: workspace.id } })).toBe(0);
    expect(await db().integration.count({ where: { workspaceId: workspace.id } })).toBe(0);
    expect(await db().auditEntry.count({ where: { workspaceId: workspace.id } })).toBe(0);
  });
});
