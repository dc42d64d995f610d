import { describe, expect } from 'vitest';
import { createTeam } from '#server/administration/teams/create-team.ts';
import { db } from '#server/core/database/prisma.ts';
import { type AuditTopic, auditKindsOf } from '#server/screens/audit/audit-sentences.ts';
import { test as base } from '#test/fixtures/service-test.ts';
import { makeTeammates, sessionCookie, signInTeammate } from '#test/fixtures/teammates.ts';

const ENTRIES = [
  { kind: 'role_changed', userName: 'Olivia', data: { teammateName: 'Ben', from: 'agent', to: 'admin' } },
  {
    kind: 'settings_changed',
    userName: 'Olivia',
    data: { assignOnReply: 'true', slaResolutionMinutes: 'never' },
  },
  { kind: 'sender_blocked', userName: 'Ben', data: { sender: '=SUM(A1)@spam.test' } },
  { kind: 'api_token_revoked', userName: 'Warehouse sync', data: { label: 'Old' } },
  { kind: 'of_a_later_version', userName: null, data: {} },
];

const test = base
  .extend('team', async () => {
    const team = await makeTeammates();
    await db().auditEntry.createMany({
      data: ENTRIES.map((entry, n) => ({
        ...entry,
        workspaceId: team.workspaceId,
        createdAt: new Date(Date.UTC(2026, 10, n + 1, 12)),
      })),
    });
    return team;
  })
  .extend('audit', async ({ team }) => (await (await signInTeammate(team.owner))()).audit)
  .extend('download', ({ team, service }) => async (role: 'owner' | 'agent', query = '') => {
    const headers = { cookie: await sessionCookie(team[role].id) };
    return fetch(`${service.url}/settings/audit-log.csv${query}`, { headers });
  });

describe('the audit log', () => {
  test('names what was done in sentences, newest first', async ({ audit }) => {
    const { items, older } = await audit.list({});
    expect(older).toBeNull();
    expect(items.map(({ sentence }) => sentence)).toEqual([
      'Someone: of a later version.',
      'Warehouse sync revoked the API token “Old”.',
      'Ben blocked =SUM(A1)@spam.test.',
      'Olivia set assigning on reply to on, the minutes for a resolution to never.',
      'Olivia changed the role of Ben from agent to admin.',
    ]);
  });

  test.for([
    [{ about: 'teammates' }, ['role_changed']],
    [{ about: 'nonsense', person: 'OLIV' }, ['settings_changed', 'role_changed']],
    [{ person: 'sync' }, ['api_token_revoked']],
    [{ person: '%' }, []],
    [{ from: '2026-11-02', to: '2026-11-03' }, ['sender_blocked', 'settings_changed']],
    [
      { about: 'constructor', from: '0000-01-01', to: '0000-02-01' },
      ENTRIES.map(({ kind }) => kind).toReversed(),
    ],
    [{ from: 'soon', to: '' }, ENTRIES.map(({ kind }) => kind).toReversed()],
  ] as const)('is filtered by %j', async ([filter, kinds], { audit }) => {
    const { items } = await audit.list(filter);
    expect(items.map(({ kind }) => kind)).toEqual(kinds);
  });

  test('continues page by page within the filter', async ({ audit, team: { workspaceId } }) => {
    await db().auditEntry.createMany({
      data: Array.from({ length: 65 }, (_, n) => ({
        workspaceId,
        kind: 'team_created',
        userName: 'Ada',
        data: { teamName: `Team ${n}` },
        // Entries of one transaction have one time.
        createdAt: new Date(Date.UTC(2026, 9, 1 + Math.floor(n / 10))),
      })),
    });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await audit.list({ about: 'teams', cursor });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.older ?? undefined;
    } while (cursor !== undefined);
    expect(new Set(seen).size).toBe(65);
    expect(seen).toHaveLength(65);
  });

  test('has the entry of a change at once', async ({ audit, team: { workspaceId, owner } }) => {
    await createTeam({ workspaceId, name: 'Returns', by: owner });
    expect((await audit.list({ about: 'teams' })).items).toMatchObject([
      { sentence: `${owner.name} created the team Returns.` },
    ]);
  });

  test('exists only for owners and admins, and only that of the open workspace', async ({
    team,
    audit: _,
  }) => {
    for (const role of ['agent', 'viewer'] as const) {
      const { audit } = await (await signInTeammate(team[role]))();
      await expect(audit.list({})).rejects.toThrow('Only owners and admins');
    }
    const { owner } = await makeTeammates();
    const { audit } = await (await signInTeammate(owner))();
    expect((await audit.list({})).items).toEqual([]);
  });

  test('finds each kind of entry under exactly one subject', async ({ audit, team: { workspaceId } }) => {
    const topics = await audit.topics();
    const kinds = topics.flatMap(({ id }) => auditKindsOf([id as AuditTopic]));
    await db().auditEntry.createMany({ data: kinds.map((kind) => ({ workspaceId, kind, userName: 'Kim' })) });
    const found: string[] = [];
    for (const { id: about } of topics) {
      let cursor: string | undefined;
      do {
        const page = await audit.list({ about, person: 'kim', cursor });
        found.push(...page.items.map(({ kind }) => kind));
        cursor = page.older ?? undefined;
      } while (cursor !== undefined);
    }
    expect(found.toSorted()).toEqual(kinds.toSorted());
    expect(new Set(kinds).size).toBe(kinds.length);
  });
});

describe('the download of the audit log', () => {
  test('has all entries of the filter, and no text that a spreadsheet runs', async ({ download }) => {
    const response = await download('owner', '?person=ben&from=');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="audit-log.csv"');
    const text = await response.text();
    expect(text).toBe(
      '"time","by","kind","entry"\r\n' +
        '"2026-11-03T12:00:00.000+00:00","Ben","sender_blocked","Ben blocked =SUM(A1)@spam.test."\r\n',
    );
  });

  test('marks a name that begins like a formula, and doubles quotation marks', async ({ download, team }) => {
    const { workspaceId } = team;
    const data = { label: '"x"' };
    await db().auditEntry.create({
      data: { workspaceId, kind: 'api_token_revoked', userName: '=1+1', data },
    });
    const text = await (await download('owner', '?about=developers&from=2026-11-28')).text();
    expect(text).toContain(`"'=1+1","api_token_revoked","'=1+1 revoked the API token “""x""”."`);
  });

  test('reads more entries than one batch, each once', async ({ download, team: { workspaceId } }) => {
    await db().auditEntry.createMany({
      data: Array.from({ length: 2_100 }, (_, n) => ({
        workspaceId,
        kind: 'team_created',
        data: { teamName: `T${n}` },
      })),
    });
    const lines = (await (await download('owner', '?about=teams')).text()).trimEnd().split('\r\n');
    expect(new Set(lines.slice(1)).size).toBe(2_100);
    expect(lines).toHaveLength(2_101);
  });

  test('ends with an error, not as if complete, when reading fails in between', async ({
    download,
    team,
  }) => {
    const { workspaceId } = team;
    await db().auditEntry.createMany({
      data: Array.from({ length: 1_000 }, () => ({ workspaceId, kind: 'team_created' })),
    });
    // A time that cannot be written, after the first batch.
    await db().$executeRaw`insert into audit_entries (id, workspace_id, kind, created_at)
      values (gen_random_uuid(), ${workspaceId}::uuid, 'team_created', '-infinity')`;
    const response = await download('owner', '?about=teams');
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  test('is refused to others', async ({ download, service }) => {
    expect((await download('agent')).status).toBe(403);
    expect((await fetch(`${service.url}/settings/audit-log.csv`)).status).toBe(403);
    expect((await download('owner', `?person=${'x'.repeat(500)}`)).status).toBe(422);
  });
});
