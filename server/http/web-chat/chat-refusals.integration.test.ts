import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { deleteWorkspace } from '#server/administration/workspaces/delete-workspace.ts';
import { db } from '#server/core/database/prisma.ts';
import { chatClient, viewOf } from '#test/clients/chat-client.ts';
import { newAddress, signInAs } from '#test/clients/sign-in.ts';
import { test } from '#test/fixtures/chat-test.ts';
import { addMember, makeUser } from '#test/fixtures/factories.ts';

describe('an attacker cannot read or write in a chat', () => {
  test.for([
    ['without a token', undefined],
    ['with a made-up token', `kzv_${'A'.repeat(43)}`],
    ['with a token of another kind', 'kza_secret'],
    ['with its digest', 'digest'],
  ] as const)('%s', async ([_how, token], { service, makeWriter }) => {
    await makeWriter();
    const [{ tokenHash }] = await db().$queryRaw<[{ tokenHash: string }]>`
      select encode(token_hash, 'hex') as "tokenHash" from visitors limit 1`;
    const stranger = chatClient(service.url, {
      ...(token === undefined ? {} : { token: token === 'digest' ? tokenHash : token }),
    });
    const responses = [
      await stranger.request('GET', 'conversation'),
      await stranger.request('GET', 'live'),
      await stranger.request('GET', `attachments/${randomUUID()}`),
      await stranger.post('rating', { score: 1 }),
      await stranger.write(),
    ];
    expect(responses.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
  });

  test('with a token in the URL', async ({ service, makeWriter }) => {
    const { token } = await makeWriter();
    for (const name of ['token', 'access_token', 'authorization']) {
      expect((await chatClient(service.url).request('GET', `conversation?${name}=${token}`)).status).toBe(
        401,
      );
    }
  });

  test('by sending the id of a conversation, contact or visitor', async ({ newVisitor, makeWriter }) => {
    const ada = await makeWriter({ name: 'Ada' });
    const eve = await newVisitor();
    const form = new FormData();
    const names = ['conversationId', 'conversation_id', 'contactId', 'visitor'];
    for (const name of names) form.append(name, ada.id);
    form.append('id', randomUUID());
    form.append('content', 'Let me in');
    expect((await eve.request('POST', 'messages', { body: form })).status).toBe(201);
    expect(texts(await eve.see())).toEqual(['Let me in']);
    expect(texts(await ada.see())).toEqual(['Where is my order?']);
    expect((await eve.request('GET', `conversation?conversationId=${ada.id}`)).body).toEqual(await eve.see());
  });

  test('by replaying a message of the visitor', async ({ newVisitor }) => {
    const ada = await newVisitor();
    const id = randomUUID();
    await ada.write({ id, content: 'My secret' });
    const eve = await newVisitor();
    expect(texts(viewOf(await eve.write({ id, content: 'Replayed' })))).toEqual(['Replayed']);
    expect(texts(await ada.see())).toEqual(['My secret']);
  });

  test('with a teammate’s session, or the conversation’s id', async ({
    service,
    workspaceId,
    makeWriter,
  }) => {
    const { id } = await makeWriter();
    const owner = await makeUser();
    await addMember(workspaceId, owner.id, 'owner');
    const cookie = await signInAs(service.url, owner);
    const response = await chatClient(service.url).request('GET', 'conversation', { headers: { cookie } });
    expect(response.status).toBe(401);
    expect((await chatClient(service.url).request('GET', `conversation/${id}`)).status).toBe(404);
  });

  test('from a page of another site', async ({ service, workspaceId, makeWriter }) => {
    const visitor = await makeWriter();
    const sent = { score: 5 };
    for (const site of ['cross-site', 'same-site', 'none']) {
      const headers = { 'sec-fetch-site': site };
      const init = { headers, body: JSON.stringify(sent) };
      const responses = [
        await visitor.write({ headers }),
        await visitor.request('POST', 'rating', init),
        await visitor.request('POST', 'visitors', { headers, body: JSON.stringify({ workspaceId }) }),
        await visitor.request('GET', 'conversation', { headers }),
      ];
      expect(responses.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
      expect(
        responses.every(({ headers: sentHeaders }) => !sentHeaders.has('access-control-allow-origin')),
      ).toBe(true);
    }
    // An older browser only sends the origin.
    const old = await fetch(`${service.url}/api/chat/visitors`, {
      method: 'POST',
      headers: { origin: 'https://elsewhere.test' },
      body: JSON.stringify({ workspaceId }),
    });
    expect(old.status).toBe(403);
  });

  test('with a token from the database, which only stores a digest', async ({ workspaceId, makeWriter }) => {
    const { token } = await makeWriter();
    const [row] = await db().$queryRaw<{ kept: string }[]>`
      select string_agg(v::text, ' ') as kept from visitors v where workspace_id = ${workspaceId}::uuid`;
    expect(row?.kept).not.toContain(token.slice(4));
  });

  test.for([
    ['constructor', 'POST'],
    ['__proto__', 'GET'],
    ['', 'GET'],
    ['messages/1', 'POST'],
  ] as const)('there is nothing at /api/chat/%s', async ([path, method], { service }) => {
    expect((await chatClient(service.url).request(method, path)).status).toBe(404);
  });

  test('other methods are refused', async ({ service }) => {
    const response = await chatClient(service.url).request('GET', 'messages');
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

describe('a chat that does not exist', () => {
  test.for([
    ['no id', 'nowhere'],
    ['an unknown id', randomUUID()],
  ] as const)('%s', async ([_what, unknown], { service }) => {
    const { status, body } = await chatClient(service.url).post('visitors', { workspaceId: unknown });
    expect([status, body]).toEqual([404, { message: 'There is no chat at this address.' }]);
  });

  test('of a deleted workspace, even for its visitors', async ({
    service,
    workspaceId,
    actor,
    makeWriter,
  }) => {
    const visitor = await makeWriter();
    const { name } = await db().workspace.findUniqueOrThrow({ where: { id: workspaceId } });
    await deleteWorkspace({ workspaceId, name, by: actor.teammate });
    expect((await visitor.write()).status).toBe(401);
    expect((await chatClient(service.url).post('visitors', { workspaceId })).status).toBe(404);
  });
});

describe('excessive requests are refused with a message and Retry-After', () => {
  const TOO_MUCH = {
    status: 429,
    body: {
      message: expect.stringMatching(/^Too many requests at once\. Wait \d+ seconds? and try again\.$/),
    },
  };
  const statusesOf = async (count: number, request: () => Promise<{ status: number }>) => {
    const statuses = [];
    for (let i = 0; i < count; i += 1) statuses.push((await request()).status);
    return statuses;
  };

  test('more than 20 new visitors a minute from one address', async ({ service, workspaceId }) => {
    const client = chatClient(service.url);
    const statuses = await statusesOf(20, () => client.post('visitors', { workspaceId }));
    expect(new Set(statuses)).toEqual(new Set([201]));
    const response = await client.post('visitors', { workspaceId });
    expect(response).toMatchObject(TOO_MUCH);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await chatClient(service.url).post('visitors', { workspaceId })).status).toBe(201);
  });

  test('more than 30 messages a minute of one visitor, from any number of addresses', async ({
    service,
    workspaceId,
    newVisitor,
  }) => {
    const { token } = await newVisitor();
    const write = () => chatClient(service.url, { token }).write();
    expect(new Set(await statusesOf(30, write))).toEqual(new Set([201]));
    expect(await write()).toMatchObject(TOO_MUCH);
    expect(await db().message.count({ where: { workspaceId } })).toBe(30);
  });

  test('more than 120 messages a minute from one address, of any number of visitors', async ({
    service,
    newVisitor,
  }) => {
    const address = newAddress();
    const visitors = await Promise.all(Array.from({ length: 5 }, newVisitor));
    const clients = visitors.map(({ token }) => chatClient(service.url, { token, address }));
    const statuses = await Promise.all(clients.map(({ post }) => statusesOf(24, () => post('rating', {}))));
    expect(new Set(statuses.flat())).toEqual(new Set([422]));
    expect(await clients[0]?.write()).toMatchObject(TOO_MUCH);
  });
});

describe('a message is refused with a reason', () => {
  test.for([
    ['that is empty', { content: ' \n ' }, 'content', 'Write something, or add a file.'],
    [
      'that is too long',
      { content: 'x'.repeat(8_001) },
      'content',
      'The message must be at most 8,000 characters.',
    ],
    [
      'without an id',
      { id: 'mine' },
      'id',
      'The message could not be read. Reload the page and send it again.',
    ],
    [
      'with a name that is too long',
      { name: 'x'.repeat(2_000) },
      'name',
      expect.stringContaining('must be at most'),
    ],
  ] as const)('%s', async ([_what, written, field, sentence], { newVisitor }) => {
    const { write } = await newVisitor();
    const { status, body } = await write(written);
    expect([status, body]).toEqual([422, { message: sentence, errors: { [field]: [sentence] } }]);
  });

  test('that is not a form, or has too many parts', async ({ newVisitor }) => {
    const visitor = await newVisitor();
    const form = new FormData();
    for (let i = 0; i < 30; i += 1) form.append('content', 'x');
    for (const init of [
      { body: '{}' },
      { body: 'x', headers: { 'content-type': 'multipart/form-data' } },
      { body: form },
    ]) {
      expect((await visitor.request('POST', 'messages', init)).status).toBe(422);
    }
  });
});

const texts = ({ messages }: { messages: { content: string }[] }) => messages.map(({ content }) => content);
