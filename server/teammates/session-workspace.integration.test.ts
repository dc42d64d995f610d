import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { screensFor } from '#server/screens/router.ts';
import { findSignedIn } from '#server/teammates/signed-in.ts';
import { signInAs } from '#test/clients/sign-in.ts';
import { addMember, makeUser, makeWorkspace } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';

describe('the workspace of a session', () => {
  test('is initially the one joined first, whatever its name', async ({ service }) => {
    const { teammate } = await memberOf('Zebra', 'Alpha', 'Midway');
    expect(await openIn(await cookieOf(service.url, teammate))).toBe('Zebra');
  });

  test('is the one that was open last', async ({ service }) => {
    const { teammate, idOf } = await memberOf('First', 'Second');
    await open(await cookieOf(service.url, teammate), idOf('Second'));
    expect(await openIn(await cookieOf(service.url, teammate))).toBe('Second');
  });

  test('is the one joined first when the teammate has left the one that was open last', async ({
    service,
  }) => {
    const { teammate, idOf } = await memberOf('Zebra', 'Alpha', 'Third');
    await open(await cookieOf(service.url, teammate), idOf('Third'));
    await leave(teammate.id, idOf('Third'));
    expect(await openIn(await cookieOf(service.url, teammate))).toBe('Zebra');
  });

  test('is null for a teammate without a workspace', async ({ service }) => {
    const { teammate } = await memberOf();
    const cookie = await cookieOf(service.url, teammate);
    expect(await openIn(cookie)).toBeNull();
    expect(await findSignedIn(new Headers({ cookie }))).toMatchObject({ workspace: null, workspaces: [] });
  });
});

describe('switching the workspace', () => {
  test('changes this session and no other open session', async ({ service }) => {
    const { teammate, idOf } = await memberOf('First', 'Second');
    const [laptop, phone] = [await cookieOf(service.url, teammate), await cookieOf(service.url, teammate)];
    await open(laptop, idOf('Second'));
    expect([await openIn(laptop), await openIn(phone)]).toEqual(['Second', 'First']);
  });

  test('happens immediately when the teammate leaves the open workspace', async ({ service }) => {
    const { teammate, idOf } = await memberOf('First', 'Second');
    const cookie = await cookieOf(service.url, teammate);
    await leave(teammate.id, idOf('First'));
    expect(await openIn(cookie)).toBe('Second');
  });

  test('lets a page that still shows the one before change nothing in the new one, only read and sign out', async ({
    service,
  }) => {
    const { teammate, idOf } = await memberOf('First', 'Second');
    for (const name of ['First', 'Second']) {
      const which = { workspaceId: idOf(name), userId: teammate.id };
      await db().member.update({ where: { workspaceId_userId: which }, data: { role: 'owner' } });
    }
    const cookie = await cookieOf(service.url, teammate);
    const page = () => screensFor(new Headers({ cookie, 'x-workspace-id': idOf('First') }));
    const sales = { name: 'Sales' };
    await (await page()).teams.create(sales);
    await open(cookie, idOf('Second'));
    const { teams, invitations, account, session } = await page();
    await expect(teams.create({ name: 'Support' })).rejects.toThrow('Another workspace is open.');
    const invited = { email: 'new@acme.test', role: 'admin' as const };
    await expect(invitations.invite(invited)).rejects.toThrow('Another workspace is open.');
    expect(
      await db().team.findMany({ where: { workspaceId: { in: [idOf('First'), idOf('Second')] } } }),
    ).toMatchObject([{ workspaceId: idOf('First'), ...sales }]);
    expect((await teams.get()).teams).toEqual([]);
    await account.changeName({ name: 'Ada' });
    await session.signOut();
    expect(await openIn(cookie)).toBeNull();
  });

  test('is refused to an attacker for a workspace of strangers', async ({ service }) => {
    const { teammate } = await memberOf('Own');
    const strangers = await makeWorkspace({ name: 'Strangers' });
    const cookie = await cookieOf(service.url, teammate);
    for (const id of [strangers.id, '01890000-0000-7000-8000-000000000000', 'no-uuid', '']) {
      await expect(open(cookie, id)).rejects.toMatchObject({ cause: { refusal: 'not_found' } });
    }
    expect(await openIn(cookie)).toBe('Own');
    const user = await db().user.findUniqueOrThrow({ where: { id: teammate.id } });
    expect(user.lastWorkspaceId).not.toBe(strangers.id);
  });

  test('is refused to an attacker without a session', async () => {
    const { idOf } = await memberOf('Own');
    await expect(open('', idOf('Own'))).rejects.toMatchObject({ cause: { refusal: 'forbidden' } });
  });

  test('a session lists the workspaces of its teammate with the roles, by name', async ({ service }) => {
    const { teammate, idOf } = await memberOf('Zebra', 'Alpha');
    await db().member.update({
      where: { workspaceId_userId: { workspaceId: idOf('Alpha'), userId: teammate.id } },
      data: { role: 'owner' },
    });
    await makeWorkspace({ name: 'Strangers' });
    const signedIn = await findSignedIn(new Headers({ cookie: await cookieOf(service.url, teammate) }));
    expect(signedIn).toMatchObject({ user: teammate, workspace: { name: 'Zebra', role: 'agent' } });
    expect(signedIn?.workspaces).toEqual([
      {
        id: idOf('Alpha'),
        name: 'Alpha',
        plan: 'growth',
        role: 'owner',
        inSetup: true,
        secondFactorFrom: null,
        isTest: false,
        searchLanguage: 'english',
        visibility: null,
      },
      {
        id: idOf('Zebra'),
        name: 'Zebra',
        plan: 'growth',
        role: 'agent',
        inSetup: true,
        secondFactorFrom: null,
        isTest: false,
        searchLanguage: 'english',
        visibility: null,
      },
    ]);
  });
});

/** Creates a teammate who joins workspaces in this order. */
async function memberOf(...names: string[]) {
  const teammate = await makeUser();
  const ids = new Map<string, string>();
  for (const name of names) {
    const workspace = await makeWorkspace({ name });
    await addMember(workspace.id, teammate.id, 'agent');
    ids.set(name, workspace.id);
  }
  return { teammate, idOf: (name: string) => ids.get(name) ?? '' };
}

const cookieOf = (url: string, teammate: { email: string }) => signInAs(url, teammate);
const openIn = async (cookie: string) =>
  (await findSignedIn(new Headers({ cookie })))?.workspace?.name ?? null;
const open = async (cookie: string, workspaceId: string) =>
  (await screensFor(new Headers({ cookie }))).session.switchWorkspace({ workspaceId });
const leave = (userId: string, workspaceId: string) =>
  db().member.delete({ where: { workspaceId_userId: { workspaceId, userId } } });
