import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { formOf, REQUEST } from '#test/clients/consent-client.ts';
import { addMember, makeUser, makeWorkspace } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/platform-test.ts';
import { PLATFORM } from '#test/fixtures/service.ts';

describe('docs/spec.md §4.1: approving', () => {
  test('redirects to the platform with a code and creates the code’s connection', async ({
    browser,
    owner,
  }) => {
    const { workspaceId, teammate } = owner;
    const response = await browser.post(formOf(await browser.open({ ...REQUEST, state: 'abc' })));
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toMatch(
      new RegExp(`^${PLATFORM.returnUrl}\\?code=kzc_[0-9A-Za-z]{43}&state=abc$`),
    );
    const [connection, ...others] = await connectionsOf(workspaceId);
    expect(others).toEqual([]);
    expect(connection).toMatchObject({
      userId: teammate.id,
      teammateName: teammate.name,
      teammateEmail: teammate.email,
      exchangedAt: null,
      endedAt: null,
      integration: { kind: 'automation', name: 'Workflow Platform' },
    });
  });

  test('issues a code that expires after ten minutes and is bound to address and challenge', async ({
    browser,
    owner,
  }) => {
    const { workspaceId } = owner;
    const challenge = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' };
    await browser.post(formOf(await browser.open({ ...REQUEST, ...challenge })));
    const codes = (await connectionsOf(workspaceId)).flatMap((connection) => connection.codes);
    expect(codes).toHaveLength(1);
    const [code] = codes;
    expect(code).toMatchObject({
      redirectUri: PLATFORM.returnUrl,
      codeChallenge: 'x'.repeat(43),
      challengeMethod: 'S256',
      usedAt: null,
    });
    expect(Number(code?.expiresAt) - Number(code?.createdAt)).toBe(600_000);
  });

  test('is recorded in the workspace’s audit log', async ({ browser, owner }) => {
    const { workspaceId, teammate } = owner;
    await browser.post(formOf(await browser.open()));
    const [connection] = await connectionsOf(workspaceId);
    expect(await auditOf(workspaceId)).toMatchObject([
      {
        kind: 'connection_made',
        userId: teammate.id,
        userName: teammate.name,
        connectionId: connection?.id,
      },
    ]);
  });

  test('twice creates two connections that share one slot', async ({ browser, owner }) => {
    const { workspaceId } = owner;
    for (let i = 0; i < 2; i += 1) await browser.post(formOf(await browser.open()));
    const connections = await connectionsOf(workspaceId);
    expect(connections).toHaveLength(2);
    expect(new Set(connections.map(({ integrationId }) => integrationId)).size).toBe(1);
    expect(await db().integration.count({ where: { workspaceId } })).toBe(1);
  });

  test('connects the chosen workspace instead of the open one', async ({ platform, browser, owner }) => {
    const { workspaceId, teammate } = owner;
    const other = await makeWorkspace({ name: 'Other' });
    await addMember(other.id, teammate.id, 'admin');
    const response = await browser.post({ ...formOf(await browser.open()), workspace_id: other.id });
    const code = response.location?.searchParams.get('code') ?? '';
    expect(await connectionsOf(workspaceId)).toEqual([]);
    expect(await connectionsOf(other.id)).toHaveLength(1);
    expect((await platform.exchange(code)).status).toBe(200);
  });

  test('works in browsers that send no origin or our origin', async ({ browser }) => {
    for (const headers of [{}, { origin: 'null' }, { origin: 'http://inbox.test' }]) {
      const response = await browser.post(formOf(await browser.open()), headers as Record<string, string>);
      expect(response.location?.searchParams.has('code')).toBe(true);
    }
  });
});

describe('docs/spec.md §4.1: cancelling', () => {
  test('returns access_denied to the platform and connects nothing', async ({ browser, owner }) => {
    const { workspaceId } = owner;
    const response = await browser.post(formOf(await browser.open({ ...REQUEST, state: 'abc' }), 'cancel'));
    expect(response.status).toBe(303);
    expect(response.location?.href).toBe(`${PLATFORM.returnUrl}?error=access_denied&state=abc`);
    expect(await connectionsOf(workspaceId)).toEqual([]);
    expect(await auditOf(workspaceId)).toEqual([]);
  });

  test.for(['', 'Approve', 'approve ', 'yes'])(
    'follows every other decision: %j',
    async (decision, { browser, owner }) => {
      const { workspaceId } = owner;
      const response = await browser.post({ ...formOf(await browser.open()), decision });
      expect(response.location?.searchParams.get('error')).toBe('access_denied');
      expect(await connectionsOf(workspaceId)).toEqual([]);
    },
  );

  test('works on a page without a workspace to connect', async ({ browserOf }) => {
    const workspace = await makeWorkspace();
    const agent = await makeUser();
    await addMember(workspace.id, agent.id, 'agent');
    const browser = await browserOf(agent);
    const response = await browser.post(formOf(await browser.open(), 'cancel'));
    expect(response.location?.searchParams.get('error')).toBe('access_denied');
  });
});

const connectionsOf = (workspaceId: string) =>
  db().connection.findMany({ where: { workspaceId }, include: { codes: true, integration: true } });
const auditOf = (workspaceId: string) =>
  db().auditEntry.findMany({ where: { workspaceId }, orderBy: { createdAt: 'asc' } });
