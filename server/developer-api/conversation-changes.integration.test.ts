import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { undoMerge } from '#server/inbox/conversations/undo-merge.ts';
import { developerClient } from '#test/clients/api-client.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { makeApiToken } from '#test/fixtures/api-tokens.ts';
import { makeContact, makeConversation, recordOf } from '#test/fixtures/conversations.ts';
import { makeUser } from '#test/fixtures/factories.ts';
import { test as mailTest } from '#test/fixtures/mail-test.ts';
import { signInTeammate } from '#test/fixtures/teammates.ts';
import { until } from '#test/fixtures/until.ts';

type Body = Record<string, unknown> & { id: string };

/** `test` with a token of the connection's workspace, its client, an unassigned email conversation with Ada, and an agent. */
const test = mailTest
  .extend('made', ({ connection: { workspaceId, teammate } }) =>
    makeApiToken({ where: { workspaceId, by: teammate } }),
  )
  .extend('developer', ({ service, made }) => developerClient(service.url, made.token))
  .extend('send', ({ developer }) => async (method: string, path: string, body?: object, status = 200) => {
    const answer = await developer(method, path, body);
    expect({ path, status: answer.status, body: answer.body }).toMatchObject({ path, status });
    return answer.body as Body;
  })
  .extend('agent', ({ connection: { workspaceId } }) => makeUser('Ben Baker', { workspaceId, role: 'agent' }))
  .extend('id', async ({ connection }) => {
    const { id: contactId } = await makeContact(connection.workspaceId, { email: 'ada@engines.test' });
    return makeConversation(connection, { contactId, assigneeId: null, assignedAt: null, teamId: null });
  });

describe('a reply', () => {
  test('without an author comes from the workspace, is not assigned, and teammates see the label', async ({
    send,
    id,
    mail,
    made,
    connection: { workspaceId },
  }) => {
    const reply = await send('POST', `/conversations/${id}/replies`, { content: 'On its way.' }, 201);
    expect(reply).toMatchObject({ conversation_id: id, content: 'On its way.', send_status: 'sent' });
    const { address, name } = await db().mailbox.findFirstOrThrow({
      where: { workspaceId, isDefault: true },
    });
    expect(mail.received[0]?.email.from).toEqual({ name, address });
    expect(mail.received[0]?.email.text).not.toContain('Warehouse');
    expect(await db().message.findUnique({ where: { id: reply.id } })).toMatchObject({
      authorKind: 'program',
      authorId: null,
      authorName: null,
      programName: 'Warehouse sync',
      apiTokenId: made.id,
    });
    expect(await recordOf(id)).toMatchObject({ assignee: null });
    const { rows } = await pool().query(
      `select actor, cause_id from events where workspace_id = $1 and key = 'reply.sent'`,
      [workspaceId],
    );
    expect(rows).toEqual([
      { actor: { type: 'program', id: made.id, name: 'Warehouse sync' }, cause_id: made.id },
    ]);
  });

  test('of an author carries their name and assigns the conversation to them', async ({
    send,
    id,
    mail,
    agent,
    made,
  }) => {
    const body = {
      content: 'On its way.',
      author_id: agent.id,
      cc: ['carla@engines.test'],
      bcc: ['Bob@engines.test'],
    };
    const reply = await send('POST', `/conversations/${id}/replies`, body, 201);
    expect(mail.received[0]?.email.from).toMatchObject({ name: 'Ben Baker' });
    expect(mail.received[0]?.to).toEqual(['ada@engines.test', 'carla@engines.test', 'bob@engines.test']);
    expect(await recordOf(id)).toMatchObject({ assignee: { id: agent.id } });
    expect((await send('GET', `/conversations/${id}/messages`)).data).toMatchObject([
      {
        id: reply.id,
        author: { type: 'program', id: agent.id, name: 'Ben Baker', email: null },
        program: 'Warehouse sync',
        cc: ['carla@engines.test'],
        bcc: ['bob@engines.test'],
      },
    ]);
    const entry = await db().timelineEntry.findFirst({ where: { conversationId: id, kind: 'assigned' } });
    expect(entry).toMatchObject({ actorKind: 'program', actorId: null, actorName: 'Warehouse sync' });
    expect(made.id).toEqual(expect.any(String));
  });

  test('is refused with a wrong author, copy or channel', async ({ send, id, connection, teammates }) => {
    const viewer = await makeUser('Vic Viewer', { workspaceId: connection.workspaceId, role: 'viewer' });
    const { workspaceId } = connection;
    const mailbox = await db().mailbox.findFirstOrThrow({ where: { workspaceId, isDefault: true } });
    const replies = `/conversations/${id}/replies`;
    for (const author_id of [viewer.id, teammates.agent.id, randomUUID(), 'nobody']) {
      const { errors } = await send('POST', replies, { content: 'Hi', author_id }, 422);
      expect(errors).toMatchObject({ author_id: [expect.stringContaining('who can take conversations')] });
    }
    const refused: [object, string][] = [
      [{ cc: ['nobody'] }, 'cc'],
      [{ bcc: 'ada@engines.test' }, 'bcc'],
      [{ cc: [mailbox.address] }, 'cc'],
      [{ cc: Array.from({ length: 21 }, (_, n) => `c${n}@engines.test`) }, 'cc'],
    ];
    for (const [body, field] of refused)
      expect((await send('POST', replies, { content: 'Hi', ...body }, 422)).errors).toHaveProperty(field);
    const chat = await makeConversation(connection, { channel: 'webchat' });
    const copied = { content: 'Hi', cc: ['carla@engines.test'] };
    expect((await send('POST', `/conversations/${chat}/replies`, copied, 422)).errors).toHaveProperty('cc');
    expect(await db().message.count({ where: { conversationId: { in: [id, chat] } } })).toBe(0);
  });

  test('is sent without what is null or blank, which counts as not sent', async ({ send, id }) => {
    for (const blank of [null, '', ' ']) {
      const body = { content: 'Hi', author_id: blank, cc: blank, bcc: blank, attachment_ids: blank };
      await send('POST', `/conversations/${id}/replies`, body, 201);
    }
  });

  test('is sent once under an Idempotency-Key', async ({ developer, id, mail }) => {
    const key = { 'idempotency-key': randomUUID() };
    const reply = () => developer('POST', `/conversations/${id}/replies`, { content: 'Once' }, key);
    const [first, again] = [await reply(), await reply()];
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(mail.received).toHaveLength(1);
  });
});

test('teammates see the label of the program in the thread, and who it wrote for', async ({
  send,
  id,
  agent,
  connection: { teammate },
}) => {
  await send('POST', `/conversations/${id}/replies`, { content: 'One' }, 201);
  await send('POST', `/conversations/${id}/replies`, { content: 'Two', author_id: agent.id }, 201);
  await send('POST', `/conversations/${id}/notes`, { content: 'Three' }, 201);
  await send('PATCH', `/conversations/${id}`, { status: 'solved' });
  const screens = await (await signInTeammate(teammate))();
  const opened = await screens.conversations.get({ id });
  expect(opened?.conversation.items).toMatchObject([
    { kind: 'message', authorName: 'Warehouse sync', via: 'API token', isAutomatic: true },
    { kind: 'message', authorName: 'Ben Baker', via: 'Warehouse sync', isAutomatic: false },
    { kind: 'entry', sentence: 'The program “Warehouse sync” assigned this conversation to Ben Baker' },
    { kind: 'note', authorName: 'Warehouse sync', via: 'API token' },
    { kind: 'entry', sentence: 'The program “Warehouse sync” changed the status from open to solved' },
  ]);
});

describe('a conversation', () => {
  test('is created in the name of the workspace, or of an author who gets it', async ({
    send,
    agent,
    mail,
    worker: _,
  }) => {
    const body = { to_email: 'new@engines.test', subject: 'Your order', content: 'Hello' };
    const plain = await send('POST', '/conversations', body, 201);
    expect(plain).toMatchObject({
      assignee: null,
      snoozed_until: null,
      merged_into_id: null,
      status: 'open',
    });
    expect(await send('GET', `/conversations/${plain.id}`)).toEqual(plain);
    const named = await send('POST', '/conversations', { ...body, author_id: agent.id }, 201);
    expect(named).toMatchObject({ assignee: { id: agent.id }, contact: { email: 'new@engines.test' } });
    const second = await mail.waitFor('new@engines.test', 2);
    const names = mail.sentTo('new@engines.test').map(({ email }) => email.from?.name);
    expect(second).toBeDefined();
    expect(names).toEqual(expect.arrayContaining(['Ben Baker']));
    expect(names).not.toContain('Warehouse sync');
    expect(
      (await send('POST', '/conversations', { ...body, author_id: 'nobody' }, 422)).errors,
    ).toHaveProperty('author_id');
    const entry = await db().timelineEntry.findFirst({
      where: { conversationId: plain.id, kind: 'created' },
    });
    expect(entry).toMatchObject({ actorKind: 'program', actorName: 'Warehouse sync' });
  });

  test('is not in the answer to a merge again that was undone, once it is deleted', async ({
    developer,
    id,
    connection: { workspaceId, teammate },
  }) => {
    const into = await makeConversation({ workspaceId, teammate });
    const merge = () =>
      developer('POST', `/conversations/${id}/merge`, { into_id: into }, { 'idempotency-key': into });
    const merged = await merge();
    expect(merged).toMatchObject({ status: 200, body: { id: into } });
    await undoMerge({ workspaceId, id, actor: { kind: 'teammate', teammate } });
    expect(await merge()).toMatchObject({ status: 200, body: merged.body });
    await db().conversation.update({
      where: { id: into },
      data: { removal: 'deleted', removedAt: new Date() },
    });
    expect(await merge()).toMatchObject({ status: 404 });
  });

  test('that was merged is not there, nor the answer to the merge again, once the other one is deleted', async ({
    developer,
    send,
    id,
    connection,
  }) => {
    const into = await makeConversation(connection);
    const merge = (key: string) =>
      developer('POST', `/conversations/${id}/merge`, { into_id: into }, { 'idempotency-key': key });
    const key = randomUUID();
    expect(await merge(key)).toMatchObject({ status: 200, body: { id: into } });
    await db().conversation.update({
      where: { id: into },
      data: { removal: 'deleted', removedAt: new Date() },
    });
    expect(await merge(key)).toMatchObject({ status: 404 });
    await send('GET', `/conversations/${id}`, undefined, 404);
    await send('POST', `/conversations/${id}/notes`, { content: '' }, 404);
  });

  test('is changed all or nothing, also its snooze', async ({ send, id, agent, connection }) => {
    const team = await db().team.create({ data: { workspaceId: connection.workspaceId, name: 'Support' } });
    const until = new Date(Date.now() + 86_400_000).toISOString();
    const patch = (body: object, status = 200) => send('PATCH', `/conversations/${id}`, body, status);
    const changed = { priority: 'high', assignee_id: agent.id, team_id: team.id, snoozed_until: until };
    expect(await patch(changed)).toMatchObject({
      status: 'pending',
      priority: 'high',
      assignee: { id: agent.id },
      team: { id: team.id },
      snoozed_until: until.replace('Z', '+00:00'),
    });
    expect(await patch({ snoozed_until: 'none' })).toMatchObject({ status: 'pending', snoozed_until: null });
    await patch({ status: 'open' });
    const pending = { status: 'pending', snoozed_until: 'none' };
    expect(await patch(pending)).toMatchObject({ status: 'pending', snoozed_until: null });
    expect(await patch({ assignee_id: 'none', team_id: 'none' })).toMatchObject({
      assignee: null,
      team: null,
    });
    const wrong = { status: 'solved', assignee_id: 'nobody', snoozed_until: until };
    expect((await patch(wrong, 422)).errors).toMatchObject({
      assignee_id: [expect.anything()],
      snoozed_until: ['A snoozed conversation is pending. Send either snoozed_until or the status solved.'],
    });
    for (const snoozed_until of ['2020-01-01T00:00:00Z', '2099-01-01T00:00:00Z', 'tomorrow'])
      expect((await patch({ snoozed_until }, 422)).errors).toHaveProperty('snoozed_until');
    expect(await patch({}, 422)).toMatchObject({
      errors: { body: [expect.stringContaining('at least one')] },
    });
    expect((await patch({ priority: 'none', team_id: 'x' }, 422)).errors).toMatchObject({
      priority: [expect.anything()],
      team_id: [expect.anything()],
    });
    expect(await patch({ status: 'closed' })).toMatchObject({ status: 'closed' });
    expect((await patch({ snoozed_until: until }, 422)).errors).toHaveProperty('snoozed_until');
    const entries = await db().timelineEntry.findMany({ where: { conversationId: id } });
    expect(new Set(entries.map(({ actorKind, actorName }) => `${actorKind} ${actorName}`))).toEqual(
      new Set(['program Warehouse sync']),
    );
  });

  test('is merged into another one, and then only read', async ({ send, id, connection }) => {
    const into = await makeConversation(connection);
    const merge = (body: object, status = 200) => send('POST', `/conversations/${id}/merge`, body, status);
    expect((await merge({}, 422)).errors).toHaveProperty('into_id');
    await merge({ into_id: randomUUID() }, 404);
    expect((await merge({ into_id: id }, 422)).errors).toHaveProperty('conversation');
    expect(await merge({ into_id: into })).toMatchObject({ id: into });
    expect(await send('GET', `/conversations/${id}`)).toMatchObject({ merged_into_id: into });
    const link = expect.stringContaining(`selected=${into}`);
    for (const [method, path, body] of [
      ['PATCH', '', { status: 'solved' }],
      ['POST', '/replies', { content: 'Hi' }],
      ['POST', '/notes', { content: 'Hi' }],
      ['POST', '/tags', { tags: ['VIP'] }],
      ['DELETE', '/tags/shipping', undefined],
    ] as const)
      expect((await send(method, `/conversations/${id}${path}`, body, 422)).errors).toEqual({
        conversation: [link],
      });
  });

  test('gets and loses tags', async ({ send, id }) => {
    expect(
      await send('POST', `/conversations/${id}/tags`, { tags: ['VIP', 'SHIPPING', 'a/b'] }),
    ).toMatchObject({
      tags: ['Shipping', 'VIP', 'a/b'],
    });
    expect(await send('DELETE', `/conversations/${id}/tags/vip`)).toMatchObject({
      tags: ['Shipping', 'a/b'],
    });
    expect(await send('DELETE', `/conversations/${id}/tags/${encodeURIComponent('A/b')}`)).toMatchObject({
      tags: ['Shipping'],
    });
    await send('DELETE', `/conversations/${id}/tags/unknown`);
    await send('DELETE', `/conversations/${id}/tags/${'t'.repeat(41)}`, undefined, 422);
    await send('POST', `/conversations/${id}/tags`, { tags: [] }, 422);
    expect(await send('GET', `/conversations/${id}/tags`)).toEqual({
      data: [{ name: 'Shipping' }],
      next_cursor: null,
    });
  });
});

test('a note names its author or the program, notifies others, and needs the plan', async ({
  send,
  id,
  agent,
  connection: { workspaceId, teammate },
}) => {
  const note = (body: object, status = 201) => send('POST', `/conversations/${id}/notes`, body, status);
  await db().conversation.update({ where: { id }, data: { assigneeId: agent.id, assignedAt: new Date() } });
  await note({ content: `@${teammate.name} look` });
  await note({ content: 'Mine', author_id: agent.id });
  expect((await send('GET', `/conversations/${id}/notes`)).data).toMatchObject([
    {
      content: `@${teammate.name} look`,
      author: { type: 'program', id: null, name: null },
      program: 'Warehouse sync',
    },
    {
      content: 'Mine',
      author: { type: 'program', id: agent.id, name: 'Ben Baker' },
      program: 'Warehouse sync',
    },
  ]);
  const notifications = await db().notification.findMany({ where: { workspaceId }, orderBy: { id: 'asc' } });
  expect(
    notifications.map(({ userId, kind, data }) => ({
      userId,
      kind,
      byName: (data as { byName: string }).byName,
    })),
  ).toEqual(
    expect.arrayContaining([
      { userId: teammate.id, kind: 'mentioned', byName: 'Warehouse sync' },
      { userId: agent.id, kind: 'noted', byName: 'Warehouse sync' },
    ]),
  );
  expect(notifications).toHaveLength(2);
  expect((await note({ content: 'Hi', author_id: 'nobody' }, 422)).errors).toHaveProperty('author_id');
  await db().workspace.update({ where: { id: workspaceId }, data: { plan: 'starter' } });
  expect((await note({ content: 'Hi' }, 402)).message).toContain('Growth');
});

test('companies are listed by name, read, created and renamed', async ({
  send,
  connection: { workspaceId },
}) => {
  const acme = await send('POST', '/companies', { name: 'acme' }, 201);
  for (const name of ['Zenith', 'Beta']) await send('POST', '/companies', { name }, 201);
  await db().companyDomain.create({ data: { workspaceId, companyId: acme.id, domain: 'acme.test' } });
  const first = await send('GET', '/companies?limit=2');
  expect(first.data).toMatchObject([
    { id: acme.id, domains: ['acme.test'] },
    { name: 'Beta', domains: [] },
  ]);
  expect(await send('GET', `/companies?limit=2&cursor=${first.next_cursor}`)).toMatchObject({
    data: [{ name: 'Zenith' }],
    next_cursor: null,
  });
  await send('GET', '/companies?cursor=QQ', undefined, 422);
  expect(await send('PATCH', `/companies/${acme.id}`, { name: 'Acme Ltd' })).toMatchObject({
    name: 'Acme Ltd',
  });
  expect(await send('GET', `/companies/${acme.id}`)).toMatchObject({
    name: 'Acme Ltd',
    domains: ['acme.test'],
  });
  await send('PATCH', `/companies/${acme.id.toUpperCase()}`, { name: 'ACME Ltd' });
  expect((await send('POST', '/companies', { name: 'BETA' }, 422)).errors).toHaveProperty('name');
  expect((await send('PATCH', `/companies/${acme.id}`, { name: ' ' }, 422)).errors).toHaveProperty('name');
  await send('PATCH', `/companies/${randomUUID()}`, { name: ' ' }, 404);
  await send('GET', '/companies/unknown', undefined, 404);
});

describe('an attacker', () => {
  const WRITES: [method: string, path: string, body: object | undefined][] = [
    ['PATCH', '/conversations/{id}', { status: 'solved' }],
    ['POST', '/conversations/{id}/replies', { content: 'Hi' }],
    ['POST', '/conversations/{id}/notes', { content: 'Hi' }],
    ['POST', '/conversations/{id}/tags', { tags: ['VIP'] }],
    ['DELETE', '/conversations/{id}/tags/shipping', undefined],
    ['POST', '/conversations/{id}/merge', { into_id: '{own}' }],
    ['POST', '/conversations/{own}/merge', { into_id: '{id}' }],
  ];

  test('changes no conversation or company of another workspace', async ({ service, id, send, mail }) => {
    const stranger = await makeApiToken();
    const theirs = developerClient(service.url, stranger.token);
    const own = await makeConversation({ workspaceId: stranger.workspaceId, teammate: stranger.by });
    const before = await recordOf(id);
    for (const [method, path, body] of WRITES) {
      const sent = body && JSON.parse(JSON.stringify(body).replace('{own}', own).replace('{id}', id));
      const answer = await theirs(method, path.replace('{id}', id).replace('{own}', own), sent);
      expect([method, path, answer.status]).toEqual([method, path, 404]);
    }
    const company = await send('POST', '/companies', { name: 'Engines Ltd' }, 201);
    expect((await theirs('PATCH', `/companies/${company.id}`, { name: 'Taken' })).status).toBe(404);
    expect(await recordOf(id)).toEqual(before);
    expect(mail.received).toEqual([]);
  });

  test('changes nothing by a write whose token is revoked while it is under way', async ({
    connection,
    developer,
    made,
    mail,
    id,
  }) => {
    const own = await makeConversation(connection);
    const stateOf = async () => [
      await recordOf(id),
      await recordOf(own),
      await db().conversation.count({ where: { workspaceId: connection.workspaceId } }),
      await db().message.count({ where: { workspaceId: connection.workspaceId } }),
      await db().note.count({ where: { workspaceId: connection.workspaceId } }),
    ];
    const before = await stateOf();
    const created: (typeof WRITES)[number][] = [
      ['POST', '/conversations', { to_email: 'x@engines.test', subject: 'S', content: 'C' }],
      ['POST', '/companies', { name: 'Late' }],
    ];
    for (const [method, path, body] of [...WRITES, ...created]) {
      const sent = body && JSON.parse(JSON.stringify(body).replace('{own}', own).replace('{id}', id));
      const revoking = await pool().connect();
      try {
        await revoking.query('begin');
        await revoking.query('update api_tokens set revoked_at = now() where id = $1', [made.id]);
        const answer = developer(method, path.replace('{id}', id).replace('{own}', own), sent);
        await until('the write waits for the token', async () => (await countLockWaiters()) > 0);
        await revoking.query('commit');
        expect([path, (await answer).status]).toEqual([path, 401]);
      } finally {
        revoking.release();
      }
      await db().apiToken.update({ where: { id: made.id }, data: { revokedAt: null } });
    }
    expect(await stateOf()).toEqual(before);
    expect(mail.received).toEqual([]);
  });
});
