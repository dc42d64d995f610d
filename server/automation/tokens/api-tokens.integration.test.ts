import { describe, expect } from 'vitest';
import {
  createToken,
  LABEL_MAX_LENGTH,
  listTokens,
  removeEndedTokens,
  revokeToken,
  TOKENS_MAX,
} from '#server/automation/tokens/api-tokens.ts';
import { findProgram } from '#server/automation/tokens/find-program.ts';
import { db } from '#server/core/database/prisma.ts';
import { digest } from '#server/core/secrets.ts';
import { makeApiToken } from '#test/fixtures/api-tokens.ts';
import { makeUser } from '#test/fixtures/factories.ts';
import { forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { test } from '#test/fixtures/screens-test.ts';

const NEW = { label: 'Sync', abilities: ['read'], lastDay: null };
const kindOf = async (token: string) => (await findProgram(token)).kind;

describe('a new API token', () => {
  test('is stored as its digest and its last four characters, with an entry in the audit log', async ({
    teammates: { workspaceId, admin },
  }) => {
    const { id, token } = await createToken({ workspaceId, by: admin, ...NEW, label: ' Ware\u00a0house ' });
    const row = await db().apiToken.findUniqueOrThrow({ where: { id } });
    expect(Buffer.from(row.tokenHash)).toEqual(Buffer.from(digest(token)));
    expect(row).toMatchObject({ lastFour: token.slice(-4), abilities: ['read'], createdById: admin.id });
    expect(JSON.stringify(row)).not.toContain(token.slice(-20));
    const entry = await db().auditEntry.findFirst({ where: { workspaceId, kind: 'api_token_created' } });
    expect(entry).toMatchObject({
      userId: admin.id,
      data: { label: row.label, abilities: 'read' },
    });
  });

  test('is announced to the owners in the app and by email, but not to the owner who creates it', async ({
    teammates: { workspaceId, owner, admin },
  }) => {
    await forgetJobs();
    await createToken({ workspaceId, by: owner, ...NEW });
    expect(await queuedJobs()).toEqual([]);
    const { id } = await createToken({ workspaceId, by: admin, ...NEW });
    const notified = await db().notification.findMany({ where: { workspaceId, kind: 'api_token_created' } });
    expect(notified).toMatchObject([
      {
        userId: owner.id,
        data: { tokenId: id, label: 'Sync', abilities: ['read'], byName: admin.name },
      },
    ]);
    expect(await queuedJobs()).toMatchObject([{ task: 'mail-notifications' }]);
  });

  test.for<[string, Partial<Parameters<typeof createToken>[0]>, object]>([
    ['an empty label', { label: ' \u200b ' }, { label: ['The label must not be empty.'] }],
    [
      'a long label',
      { label: 'a'.repeat(LABEL_MAX_LENGTH + 1) },
      { label: ['The label must be at most 100 characters.'] },
    ],
    ['no known ability', { abilities: ['everything'] }, { abilities: ['Choose at least one ability.'] }],
    ['a past day', { lastDay: '2020-01-31' }, { lastDay: ['Choose today or a later date.'] }],
    ['no day', { lastDay: '2027-02-31x' }, { lastDay: ['Choose today or a later date.'] }],
    [
      'several faults, all of which it names',
      { label: '', abilities: [], lastDay: 'soon' },
      { label: [expect.anything()], abilities: [expect.anything()], lastDay: [expect.anything()] },
    ],
  ])('is refused with %s', async ([, wrong, errors], { teammates: { workspaceId, owner } }) => {
    const created = createToken({ workspaceId, by: owner, ...NEW, ...wrong });
    await expect(created).rejects.toMatchObject({ refusal: 'invalid', errors });
  });

  test('is refused to agents, viewers and teammates of other workspaces', async ({ teammates }) => {
    const { workspaceId, agent, viewer } = teammates;
    const stranger = (await makeApiToken()).by;
    for (const by of [agent, viewer, stranger]) {
      await expect(createToken({ workspaceId, by, ...NEW })).rejects.toMatchObject({ refusal: 'forbidden' });
    }
    expect(await db().apiToken.count({ where: { workspaceId } })).toBe(0);
  });

  test('with full access has no other abilities beside it', async ({ teammates: { workspaceId, owner } }) => {
    const abilities = ['read', 'full_access', 'read'];
    const { token } = await createToken({ workspaceId, by: owner, ...NEW, abilities });
    expect(await findProgram(token)).toMatchObject({ caller: { abilities: ['full_access'] } });
  });

  test('is refused beyond the limit, which two requests at the same time cannot exceed', async ({
    teammates: { workspaceId, owner },
  }) => {
    const rows = Array.from({ length: TOKENS_MAX - 1 }, (_, n) => ({
      workspaceId,
      label: `Token ${n}`,
      abilities: ['read'],
      tokenHash: digest(`${workspaceId} ${n}`),
      lastFour: 'abcd',
      createdByName: owner.name,
    }));
    await db().apiToken.createMany({ data: rows });
    const ended = { ...rows[0], label: 'Ended', abilities: ['read'], lastFour: 'abcd', createdByName: '' };
    await db().apiToken.createMany({
      data: [
        { ...ended, workspaceId, tokenHash: digest(`${workspaceId} e`), expiresAt: new Date(0) },
        { ...ended, workspaceId, tokenHash: digest(`${workspaceId} r`), revokedAt: new Date() },
      ],
    });
    const results = await Promise.allSettled(
      [1, 2, 3].map(() => createToken({ workspaceId, by: owner, ...NEW })),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    const [refused] = results.filter((each) => each.status === 'rejected');
    expect(refused?.reason).toMatchObject({
      errors: { label: ['A workspace can have up to 50 API tokens. Revoke one first.'] },
    });
  });
});

describe('an API token stops working', () => {
  test('when an owner or admin revokes it, which is in the audit log once', async ({ teammates }) => {
    const { workspaceId, owner, admin, agent } = teammates;
    const { id, token } = await makeApiToken({ where: { workspaceId, by: owner } });
    await expect(revokeToken({ workspaceId, by: agent, id })).rejects.toMatchObject({ refusal: 'forbidden' });
    expect(await kindOf(token)).toBe('caller');
    for (let i = 0; i < 2; i += 1) await revokeToken({ workspaceId, by: admin, id });
    expect(await findProgram(token)).toEqual({ kind: 'unauthorized', isUnknown: false });
    const entries = await db().auditEntry.findMany({ where: { workspaceId, kind: 'api_token_revoked' } });
    expect(entries).toMatchObject([{ userId: admin.id, data: { label: 'Warehouse sync' } }]);
    expect(await listTokens(db(), workspaceId)).toEqual([]);
  });

  test('but not when an owner of another workspace tries to revoke it', async ({ teammates }) => {
    const made = await makeApiToken();
    const { workspaceId, owner } = teammates;
    for (const id of [made.id, 'nothing']) {
      const refused = revokeToken({ workspaceId, by: owner, id });
      await expect(refused).rejects.toMatchObject({ refusal: 'not_found' });
    }
    expect(await kindOf(made.token)).toBe('caller');
  });

  test('when its last day is over, by the clock of the database', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const { id, token } = await makeApiToken({ lastDay: today });
    expect(await kindOf(token)).toBe('caller');
    await db().$executeRaw`update api_tokens set expires_at = now() where id = ${id}::uuid`;
    expect(await kindOf(token)).toBe('unauthorized');
  });

  test('when its workspace is deleted, but not when the teammate who created it leaves', async () => {
    const { token, workspaceId, by } = await makeApiToken();
    await db().member.deleteMany({ where: { workspaceId, userId: by.id } });
    await db().user.delete({ where: { id: by.id } });
    expect(await kindOf(token)).toBe('caller');
    expect(await listTokens(db(), workspaceId)).toMatchObject([{ createdByName: by.name }]);
    await db().workspace.update({ where: { id: workspaceId }, data: { deletedAt: new Date() } });
    expect(await kindOf(token)).toBe('unauthorized');
  });
});

test('tokens are removed 90 days after they were revoked or expired, and never before', async () => {
  const made = await Promise.all([makeApiToken(), makeApiToken(), makeApiToken(), makeApiToken()]);
  const [revoked, expired, recent, live] = made.map(({ id }) => id);
  await db().$executeRaw`
    update api_tokens set revoked_at = case when id = ${revoked}::uuid then now() - interval '91 days'
        when id = ${recent}::uuid then now() - interval '89 days' end,
      expires_at = case when id = ${expired}::uuid then now() - interval '91 days' end
    where id = any (${made.map(({ id }) => id)}::uuid[])`;
  expect(await removeEndedTokens()).toBeGreaterThanOrEqual(2);
  const left = await db().apiToken.findMany({ where: { id: { in: made.map(({ id }) => id) } } });
  expect(left.map(({ id }) => id).sort()).toEqual([recent, live].sort());
});

test('teammates see who created a token under their current name', async ({ teammates }) => {
  const { workspaceId } = teammates;
  const by = await makeUser('Ann Old', { workspaceId, role: 'admin' });
  await makeApiToken({ where: { workspaceId, by } });
  await db().user.update({ where: { id: by.id }, data: { name: 'Ann New' } });
  expect(await listTokens(db(), workspaceId)).toMatchObject([{ createdByName: 'Ann New' }]);
});

test('Settings show tokens and create and revoke them, for owners and admins only', async ({ screensOf }) => {
  const { developers } = await screensOf('admin');
  const { id, token } = await developers.create({ label: 'Sync', abilities: ['read'], lastDay: '' });
  const { tokens, apiUrl } = await developers.get();
  expect(tokens).toMatchObject([
    { id, label: 'Sync', abilities: ['Read'], isExpired: false, expiresAt: null },
  ]);
  expect(JSON.stringify(tokens)).not.toContain(token.slice(-10));
  expect(apiUrl).toBe('https://api.inbox.test/v1');
  for (const role of ['agent', 'viewer'] as const) {
    const others = (await screensOf(role)).developers;
    await expect(others.get()).rejects.toThrow('Only owners and admins');
    await expect(others.create({ label: 'x', abilities: ['read'], lastDay: '' })).rejects.toThrow(
      'Only owners',
    );
    await expect(others.revoke({ id })).rejects.toThrow('Only owners and admins');
  }
  await developers.revoke({ id });
  expect((await developers.get()).tokens).toEqual([]);
});
