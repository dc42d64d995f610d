import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { findSignedIn, switchWorkspace } from '#server/teammates/signed-in.ts';
import { consentClient, formOf, REQUEST } from '#test/clients/consent-client.ts';
import { addMember, makeUser, makeWorkspace } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/platform-test.ts';
import type { TestService } from '#test/fixtures/service.ts';
import { sessionCookie } from '#test/fixtures/teammates.ts';

const fill = (workspaceId: string) =>
  db().integration.create({ data: { workspaceId, kind: 'shop', name: 'Shop' } });

describe('docs/spec.md §8: 20 approvals a minute per teammate', () => {
  test('the 21st returns 429 with Retry-After and approves nothing; other teammates are unaffected', async ({
    service,
  }) => {
    const workspace = await makeWorkspace();
    const { browser } = await memberOf(service, [workspace.id, 'owner']);
    for (let i = 0; i < 20; i += 1) {
      expect((await browser.post(formOf(await browser.open()))).status).toBe(303);
    }
    const response = await browser.post(formOf(await browser.open()));
    expect(response.status).toBe(429);
    expect(response.page?.kind).toBe('too_many');
    const retryAfter = response.headers.get('retry-after') ?? '';
    expect(retryAfter).toMatch(/^\d+$/);
    expect(Number(retryAfter)).toBeGreaterThanOrEqual(1);
    expect(Number(retryAfter)).toBeLessThanOrEqual(60);
    expect(await connections(workspace.id)).toBe(20);

    // Beyond the limit cancelling still works, and a forged form gets 403 first.
    expect((await browser.post(formOf(await browser.open(), 'cancel'))).status).toBe(303);
    expect((await browser.post({ ...formOf(await browser.open()), form: 'forged' })).status).toBe(403);
    const colleague = await memberOf(service, [workspace.id, 'admin']);
    expect((await colleague.browser.post(formOf(await colleague.browser.open()))).status).toBe(303);
  });
});

describe('docs/spec.md §4.1: the workspace was switched since the page was loaded', () => {
  test('returns 409, even if the form names a workspace that may be connected', async ({ service }) => {
    const [first, second] = [await makeWorkspace(), await makeWorkspace()];
    const { browser, signedIn } = await memberOf(service, [first.id, 'owner'], [second.id, 'owner']);
    for (const workspace_id of ['', first.id, second.id]) {
      await switchWorkspace(await signedIn(), first.id);
      const fields = formOf(await browser.open());
      await switchWorkspace(await signedIn(), second.id);
      const response = await browser.post({ ...fields, workspace_id });
      expect(response.status).toBe(409);
      expect(response.page).toMatchObject({
        kind: 'switched',
        retryUrl: expect.stringMatching(/^\/oauth\//),
      });
    }
    expect((await connections(first.id)) + (await connections(second.id))).toBe(0);
  });

  test('is checked before the role; switching there and back does not count', async ({ service }) => {
    const [first, second] = [await makeWorkspace(), await makeWorkspace()];
    const { browser, signedIn } = await memberOf(service, [first.id, 'agent'], [second.id, 'owner']);
    const fields = formOf(await browser.open());
    await switchWorkspace(await signedIn(), second.id);
    expect((await browser.post(fields)).status).toBe(409);
    const other = formOf(await browser.open());
    await switchWorkspace(await signedIn(), first.id);
    await switchWorkspace(await signedIn(), second.id);
    expect((await browser.post(other)).status).toBe(303);
  });
});

describe('docs/spec.md §4.1: users who are not owner or admin of the workspace', () => {
  test.for(['agent', 'viewer'] as const)(
    'an attacker who is %s gets 403 and is recorded',
    async (role, { service }) => {
      const workspace = await makeWorkspace();
      const owner = await makeUser('Bea Boss');
      await addMember(workspace.id, owner.id, 'owner');
      const { browser, teammate } = await memberOf(service, [workspace.id, role]);
      const response = await browser.post(formOf(await browser.open()));
      expect(response.status).toBe(403);
      expect(response.page).toMatchObject({
        kind: 'refused_role',
        workspaceName: 'Acme',
        owners: [{ name: 'Bea Boss', email: owner.email }],
      });
      expect(await connections(workspace.id)).toBe(0);
      expect(await refusals(workspace.id)).toMatchObject([{ userId: teammate.id, data: { reason: 'role' } }]);
    },
  );

  test('an attacker cannot choose a foreign or nonexistent workspace', async ({ service }) => {
    const foreign = await makeWorkspace();
    const own = await makeWorkspace();
    const { browser } = await memberOf(service, [own.id, 'owner']);
    const ids = [foreign.id, '01890000-0000-7000-8000-000000000000', 'x', `${own.id}' or true`];
    for (const workspace_id of ids) {
      const response = await browser.post({ ...formOf(await browser.open()), workspace_id });
      expect(response.status).toBe(403);
      expect(response.page).toMatchObject({ kind: 'refused_role', workspaceName: null, owners: [] });
    }
    expect((await connections(foreign.id)) + (await connections(own.id))).toBe(0);
    expect(await refusals(foreign.id)).toEqual([]);
  });

  test('a teammate demoted or removed after the page was loaded gets 403, not a connection', async ({
    service,
  }) => {
    const workspace = await makeWorkspace();
    const { browser, teammate } = await memberOf(service, [workspace.id, 'owner']);
    const [first, second] = [formOf(await browser.open()), formOf(await browser.open())];
    await setRole(workspace.id, teammate.id, 'agent');
    expect((await browser.post(first)).status).toBe(403);
    await db().member.deleteMany({ where: { userId: teammate.id } });
    expect((await browser.post(second)).status).toBe(403);
    expect(await connections(workspace.id)).toBe(0);
  });
});

describe('docs/spec.md §4.1: no free integration slot', () => {
  test('returns 402, for the open and for another chosen workspace, and is recorded', async ({ service }) => {
    const [open, other] = [
      await makeWorkspace({ plan: 'starter', name: 'Open' }),
      await makeWorkspace({ plan: 'starter', name: 'Other' }),
    ];
    const { browser } = await memberOf(service, [open.id, 'owner'], [other.id, 'owner']);
    const fields = formOf(await browser.open());
    await Promise.all([fill(open.id), fill(other.id)]);
    const response = await browser.post(fields);
    expect(response.status).toBe(402);
    const named = { kind: 'refused_slot', planName: 'Starter' };
    expect(response.page).toMatchObject({
      ...named,
      workspace: { id: open.id, name: 'Open' },
      isOwner: true,
    });
    const chosen = await browser.post({ ...formOf(await browser.open()), workspace_id: other.id });
    expect(chosen.status).toBe(402);
    expect(chosen.page).toMatchObject({ ...named, workspace: { id: other.id, name: 'Other' } });
    for (const { id } of [open, other]) {
      expect(await connections(id)).toBe(0);
      expect(await refusals(id)).toMatchObject([{ data: { reason: 'slots' } }]);
    }
  });

  test('is shown only to owners and admins: an agent of a full workspace gets 403', async ({ service }) => {
    const workspace = await makeWorkspace({ plan: 'starter' });
    await fill(workspace.id);
    const { browser } = await memberOf(service, [workspace.id, 'agent']);
    expect((await browser.post(formOf(await browser.open()))).status).toBe(403);
  });
});

describe('a refusal page', () => {
  /** Provokes every refusal, as an owner of two workspaces. */
  async function refusedInEveryWay(service: TestService) {
    const [open, full] = [await makeWorkspace(), await makeWorkspace({ plan: 'starter' })];
    await fill(full.id);
    const { browser, signedIn } = await memberOf(service, [open.id, 'owner'], [full.id, 'owner']);
    const query = { ...REQUEST, state: 'line\nbreak + ü' };
    const form = async () => formOf(await browser.open(query));
    const stale = await browser.post({ ...(await form()), form: 'x' });
    const slots = await browser.post({ ...(await form()), workspace_id: full.id });
    const role = await browser.post({ ...(await form()), workspace_id: 'foreign' });
    const shown = await form();
    await switchWorkspace(await signedIn(), full.id);
    const switched = await browser.post(shown);
    await switchWorkspace(await signedIn(), open.id);
    let often = await browser.post(await form());
    for (let i = 0; i < 20 && often.status !== 429; i += 1) often = await browser.post(await form());
    return { browser, open, responses: { 403: role, 402: slots, 409: switched, 429: often }, stale };
  }

  test('links to the same request, and back to the platform with access_denied', async ({ service }) => {
    const { browser, responses, stale } = await refusedInEveryWay(service);
    for (const [status, response] of [...Object.entries(responses), ['403', stale] as const]) {
      expect(response.status).toBe(Number(status));
      const { page } = response;
      if (!page || !('cancel' in page)) throw new Error(`${status} has no links.`);
      const again = await browser.open(page.retryUrl.slice(page.retryUrl.indexOf('?') + 1));
      expect(again.page?.kind).toBe('ask');
      const fields = Object.fromEntries(page.cancel.fields.map(({ name, value }) => [name, value]));
      const cancelled = await browser.post({ ...fields, decision: 'cancel' });
      expect([...(cancelled.location?.searchParams ?? [])]).toEqual([
        ['error', 'access_denied'],
        ['state', 'line\nbreak + ü'],
      ]);
      // The fields of a refusal page can only cancel.
      expect((await browser.post({ ...fields, decision: 'approve' })).status).toBe(403);
    }
  });

  test('has the headers of the consent page: not cached, not framed, no referrer', async ({ service }) => {
    const { responses, stale } = await refusedInEveryWay(service);
    for (const { headers } of [...Object.values(responses), stale]) {
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-frame-options')).toBe('DENY');
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("form-action 'self' https://platform.test");
      expect(policy).not.toMatch(/unsafe|https?:\/\/(?!platform\.test)/);
    }
  });
});

async function memberOf(service: TestService, ...memberships: [workspaceId: string, role: Role][]) {
  const teammate = await makeUser();
  for (const [workspaceId, role] of memberships) await addMember(workspaceId, teammate.id, role);
  const cookie = await sessionCookie(teammate.id);
  const signedIn = async () => {
    const found = await findSignedIn(new Headers({ cookie }));
    if (!found) throw new Error('Not signed in.');
    return found;
  };
  return { teammate, signedIn, browser: consentClient(service.url, cookie) };
}

const connections = (workspaceId: string) => db().connection.count({ where: { workspaceId } });
const refusals = (workspaceId: string) =>
  db().auditEntry.findMany({ where: { workspaceId, kind: 'connection_refused' } });
const setRole = (workspaceId: string, userId: string, role: Role) =>
  db().member.update({ where: { workspaceId_userId: { workspaceId, userId } }, data: { role } });
