import { randomUUID } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { db } from '#server/ground/db.ts';
import { mergeConversations } from '#server/inbox/conversations/merge-conversations.ts';
import { updateConversation } from '#server/inbox/conversations/update-conversation.ts';
import { receiveMessage } from '#server/inbox/messages/receive-message.ts';
import { sendReply } from '#server/inbox/messages/send-reply.ts';
import { addNote } from '#server/inbox/notes/add-note.ts';
import { deleteWorkspace } from '#server/members/workspaces/delete-workspace.ts';
import type { PersonalActor } from '#server/people/teammates/actor.ts';
import { chatClient, makeChatVisitor, viewOf } from '#test/chat-client.ts';
import { addMember, makeConnection, makeUser, makeWorkspace } from '#test/factories.ts';
import { incoming } from '#test/incoming.ts';
import { recordedEvents } from '#test/recorded-events.ts';
import { startServerProcess } from '#test/server-process.ts';
import { newAddress, signInAs } from '#test/sign-in.ts';
import { until } from '#test/until.ts';
import { withTestService } from '#test/with-service.ts';

const service = withTestService();
let workspaceId: string;
let actor: Extract<PersonalActor, { kind: 'teammate' }>;
beforeEach(async () => {
  const connection = await makeConnection();
  workspaceId = connection.workspaceId;
  actor = { kind: 'teammate', teammate: connection.teammate };
});

const newVisitor = () => makeChatVisitor(service.url, workspaceId);
const texts = ({ messages }: { messages: { content: string }[] }) => messages.map(({ content }) => content);
const idOf = ({ conversationId }: { conversationId: string | null }) => {
  if (conversationId === null) throw new Error('There is no conversation yet.');
  return conversationId;
};
const reply = (id: string, content: string) => sendReply({ workspaceId, id, actor, content });
const update = (id: string, status: 'solved' | 'closed') =>
  updateConversation({ workspaceId, id, actor, changes: { status } });

/** A visitor who has written. */
async function makeWriter(who: { name?: string; email?: string } = {}) {
  const visitor = await newVisitor();
  const id = idOf(viewOf(await visitor.write({ content: 'Where is my order?', ...who })));
  return { ...visitor, id };
}

describe('a visitor', () => {
  test('who writes is a new contact with a new conversation, and sees what they wrote', async () => {
    const visitor = await newVisitor();
    expect(await visitor.see()).toEqual({
      conversationId: null,
      messages: [],
      ended: null,
      rating: null,
      isIntroduced: false,
    });
    const id = randomUUID();
    const answer = await visitor.write({ id, name: 'Ada Lovelace', email: ' Ada@Example.com ' });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const view = viewOf(answer);
    expect(view).toMatchObject({
      isIntroduced: true,
      messages: [{ clientId: id, authorName: null, content: 'Hello', attachments: [] }],
    });
    const [contact, conversation, message, ...more] = await recordedEvents(workspaceId);
    expect(more).toEqual([]);
    expect(contact).toMatchObject({ event: 'contact.created' });
    expect(conversation).toMatchObject({
      event: 'conversation.created',
      conversation: { channel: 'webchat', contact: { email: 'ada@example.com', name: 'Ada Lovelace' } },
    });
    expect(message).toMatchObject({ event: 'message.received' });
  });

  test('sees replies with a first name, and nothing that is the team’s own', async () => {
    const { id, see } = await makeWriter();
    await addNote({ workspaceId, id, actor, content: 'A difficult customer' });
    await reply(id, 'It is on its way.');
    await db().pendingReply.create({
      data: {
        workspaceId,
        conversationId: id,
        authorId: actor.teammate.id,
        content: 'Not sent yet',
        sendAt: new Date(Date.now() + 5_000),
      },
    });
    const view = await see();
    expect(texts(view)).toEqual(['Where is my order?', 'It is on its way.']);
    expect(view.messages[1]).toMatchObject({ authorName: 'Olivia', clientId: null });
    expect(JSON.stringify(view)).not.toMatch(/difficult|Not sent|Owen|@/);
  });

  test('who sends the same message again, also at once, has sent one', async () => {
    const { write, see } = await newVisitor();
    const id = randomUUID();
    const answers = await Promise.all(Array.from({ length: 5 }, () => write({ id })));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(201));
    await write({ id, content: 'Another text' });
    expect(texts(await see())).toEqual(['Hello']);
    expect(await db().conversation.count({ where: { workspaceId } })).toBe(1);
  });

  test('who sends several first messages at once has one conversation', async () => {
    const { write, see } = await newVisitor();
    await Promise.all(['a', 'b', 'c', 'd'].map((content) => write({ content, name: 'Ada' })));
    expect(texts(await see()).sort()).toEqual(['a', 'b', 'c', 'd']);
    expect(await db().conversation.count({ where: { workspaceId } })).toBe(1);
    expect(await db().contact.count({ where: { workspaceId } })).toBe(1);
  });

  test('who writes after the end of a conversation starts another one, as the same contact', async () => {
    const { id, write, see } = await makeWriter({ name: 'Ada' });
    await update(id, 'closed');
    expect((await see()).ended).toBe('closed');
    const next = viewOf(await write({ content: 'One more thing', name: 'Somebody else' }));
    expect(next).toMatchObject({ ended: null, messages: [{ content: 'One more thing' }] });
    expect(next.conversationId).not.toBe(id);
    const contacts = await db().conversation.findMany({
      where: { workspaceId },
      select: { contactId: true },
    });
    expect(new Set(contacts.map(({ contactId }) => contactId)).size).toBe(1);
  });

  test('whose text looks like a page is shown the text, as it is', async () => {
    const content = '<img src=x onerror="alert(1)"> {{constructor}} \u202E';
    const { write } = await newVisitor();
    const answer = await write({ content });
    expect(texts(viewOf(answer))).toEqual([content]);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('an address that a visitor types', () => {
  test('links the conversation to the contact who has it, of whom nothing is shown', async () => {
    const email = `${randomUUID()}@example.com`;
    const before = incoming(workspaceId, {
      contact: { fields: { name: 'Ada', email } },
      content: 'My secret',
    });
    const { contactId, conversationId } = await receiveMessage(before);
    await reply(conversationId, 'A confidential answer');
    const { id, see } = await makeWriter({ name: 'Eve', email });
    const found = await db().conversation.findUniqueOrThrow({ where: { id } });
    expect(found.contactId).toBe(contactId);
    const view = await see();
    expect(texts(view)).toEqual(['Where is my order?']);
    expect(JSON.stringify(view)).not.toMatch(/Ada|secret|confidential/);
  });

  test('is refused when it is the team’s own, and nothing is kept', async () => {
    const { mailbox } = await makeMailbox();
    for (const email of [mailbox, actor.teammate.email.toUpperCase()]) {
      const { write, see } = await newVisitor();
      const { status, body } = await write({ email });
      expect(status).toBe(422);
      expect(body).toMatchObject({ errors: { email: [expect.stringContaining('belongs to the team')] } });
      expect((await see()).messages).toEqual([]);
    }
    expect(await db().message.count({ where: { workspaceId } })).toBe(0);
  });

  test('is refused when it is none', async () => {
    const { write } = await newVisitor();
    const { status, body } = await write({ email: 'ada@' });
    expect([status, body]).toEqual([
      422,
      expect.objectContaining({ errors: { email: ['The email address must be a valid email address.'] } }),
    ]);
  });

  async function makeMailbox() {
    const { address } = await db().mailbox.findFirstOrThrow({ where: { workspaceId } });
    return { mailbox: address };
  }
});

describe('where a conversation was merged into another one', () => {
  const merge = (id: string, intoId: string) => mergeConversations({ workspaceId, id, intoId, actor });

  test('of somebody else, a visitor goes on seeing their own messages and none of the other’s', async () => {
    const mallory = await makeWriter({ name: 'Mallory' });
    const ada = await makeWriter({ name: 'Ada' });
    await reply(mallory.id, 'Hello Mallory');
    await reply(ada.id, 'Your password is 1234');
    await merge(mallory.id, ada.id);
    await reply(ada.id, 'And your PIN is 4321');
    await mallory.write({ content: 'Are you there?' });
    await ada.write({ content: 'Thank you' });
    await update(ada.id, 'solved');
    const view = await mallory.see();
    expect(texts(view)).toEqual(['Where is my order?', 'Hello Mallory', 'Are you there?']);
    expect([view.ended, view.rating]).toEqual([null, null]);
    expect(texts(await ada.see())).toEqual([
      'Where is my order?',
      'Your password is 1234',
      'And your PIN is 4321',
      'Thank you',
    ]);
    // What they write goes where the team reads it.
    expect(await db().message.count({ where: { conversationId: ada.id, content: 'Are you there?' } })).toBe(
      1,
    );
  });

  test('that they began themselves, they see what the team answers there from then on', async () => {
    const ada = await makeWriter({ email: `${randomUUID()}@example.com` });
    await reply(ada.id, 'Before');
    await update(ada.id, 'closed');
    const second = idOf(viewOf(await ada.write({ content: 'One more thing' })));
    await merge(second, ada.id);
    await reply(ada.id, 'After');
    expect(texts(await ada.see())).toEqual(['Where is my order?', 'One more thing', 'After']);
    expect((await ada.see()).ended).toBe('closed');
  });

  test('that is an email conversation, answers by email are not shown in the chat', async () => {
    const email = `${randomUUID()}@example.com`;
    const mail = await receiveMessage(
      incoming(workspaceId, { channel: 'email', contact: { fields: { email } }, content: 'By mail' }),
    );
    const visitor = await makeWriter({ email });
    await merge(visitor.id, mail.conversationId);
    await db().message.create({
      data: {
        workspaceId,
        conversationId: mail.conversationId,
        direction: 'outbound',
        authorKind: 'teammate',
        content: 'Answer by mail',
      },
    });
    expect(texts(await visitor.see())).toEqual(['Where is my order?']);
  });
});

describe('no one else can read or write in a chat', () => {
  test.each([
    ['without a token', undefined],
    ['with a made-up token', `kzv_${'A'.repeat(43)}`],
    ['with a token of another kind', 'kza_secret'],
    ['with its digest', 'digest'],
  ])('%s', async (_how, token) => {
    await makeWriter();
    const [{ tokenHash }] = await db().$queryRaw<[{ tokenHash: string }]>`
      select encode(token_hash, 'hex') as "tokenHash" from visitors limit 1`;
    const stranger = chatClient(service.url, {
      ...(token === undefined ? {} : { token: token === 'digest' ? tokenHash : token }),
    });
    const answers = [
      await stranger.ask('GET', 'conversation'),
      await stranger.ask('GET', 'live'),
      await stranger.ask('GET', `attachments/${randomUUID()}`),
      await stranger.post('rating', { score: 1 }),
      await stranger.write(),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
  });

  test('with a token in the address', async () => {
    const { token } = await makeWriter();
    for (const name of ['token', 'access_token', 'authorization']) {
      expect((await chatClient(service.url).ask('GET', `conversation?${name}=${token}`)).status).toBe(401);
    }
  });

  test('by naming a conversation, a contact or a visitor in what is sent', async () => {
    const ada = await makeWriter({ name: 'Ada' });
    const eve = await newVisitor();
    const form = new FormData();
    const names = ['conversationId', 'conversation_id', 'contactId', 'visitor'];
    for (const name of names) form.append(name, ada.id);
    form.append('id', randomUUID());
    form.append('content', 'Let me in');
    expect((await eve.ask('POST', 'messages', { body: form })).status).toBe(201);
    expect(texts(await eve.see())).toEqual(['Let me in']);
    expect(texts(await ada.see())).toEqual(['Where is my order?']);
    expect((await eve.ask('GET', `conversation?conversationId=${ada.id}`)).body).toEqual(await eve.see());
  });

  test('by sending a message of theirs again', async () => {
    const ada = await newVisitor();
    const id = randomUUID();
    await ada.write({ id, content: 'My secret' });
    const eve = await newVisitor();
    expect(texts(viewOf(await eve.write({ id, content: 'Replayed' })))).toEqual(['Replayed']);
    expect(texts(await ada.see())).toEqual(['My secret']);
  });

  test('by knowing the conversation as a teammate’s, or an access token', async () => {
    const { id } = await makeWriter();
    const owner = await makeUser();
    await addMember(workspaceId, owner.id, 'owner');
    const cookie = await signInAs(service.url, owner);
    const answer = await chatClient(service.url).ask('GET', 'conversation', { headers: { cookie } });
    expect(answer.status).toBe(401);
    expect((await chatClient(service.url).ask('GET', `conversation/${id}`)).status).toBe(404);
  });

  test('from a page of another site', async () => {
    const visitor = await makeWriter();
    const sent = { score: 5 };
    for (const site of ['cross-site', 'same-site', 'none']) {
      const headers = { 'sec-fetch-site': site };
      const asked = { headers, body: JSON.stringify(sent) };
      const answers = [
        await visitor.write({ headers }),
        await visitor.ask('POST', 'rating', asked),
        await visitor.ask('POST', 'visitors', { headers, body: JSON.stringify({ workspaceId }) }),
        await visitor.ask('GET', 'conversation', { headers }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
      expect(answers.every(({ headers: told }) => !told.has('access-control-allow-origin'))).toBe(true);
    }
    // An older browser names the origin alone.
    const old = await fetch(`${service.url}/api/chat/visitors`, {
      method: 'POST',
      headers: { origin: 'https://elsewhere.test' },
      body: JSON.stringify({ workspaceId }),
    });
    expect(old.status).toBe(403);
  });

  test('and of a token only its digest is kept', async () => {
    const { token } = await makeWriter();
    const [row] = await db().$queryRaw<{ kept: string }[]>`
      select string_agg(v::text, ' ') as kept from visitors v where workspace_id = ${workspaceId}::uuid`;
    expect(row?.kept).not.toContain(token.slice(4));
  });

  test.each([
    ['constructor', 'POST'],
    ['__proto__', 'GET'],
    ['', 'GET'],
    ['messages/1', 'POST'],
  ])('there is nothing at /api/chat/%s', async (path, method) => {
    expect((await chatClient(service.url).ask(method, path)).status).toBe(404);
  });

  test('other methods are refused', async () => {
    const answer = await chatClient(service.url).ask('GET', 'messages');
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

describe('a chat that is not there', () => {
  test.each([
    ['no id', 'nowhere'],
    ['an unknown id', randomUUID()],
  ])('%s', async (_what, unknown) => {
    const { status, body } = await chatClient(service.url).post('visitors', { workspaceId: unknown });
    expect([status, body]).toEqual([404, { message: 'There is no chat at this address.' }]);
  });

  test('that of a deleted workspace, also for who has written in it', async () => {
    const visitor = await makeWriter();
    const { name } = await db().workspace.findUniqueOrThrow({ where: { id: workspaceId } });
    await deleteWorkspace({ workspaceId, name, by: actor.teammate });
    expect((await visitor.write()).status).toBe(401);
    expect((await chatClient(service.url).post('visitors', { workspaceId })).status).toBe(404);
  });
});

describe('what is too much is refused with a sentence and when to come back', () => {
  const TOO_MUCH = {
    status: 429,
    body: {
      message: expect.stringMatching(/^Too many requests at once\. Wait \d+ seconds? and try again\.$/),
    },
  };
  const lastOf = async (count: number, ask: () => Promise<{ status: number }>) => {
    const statuses = [];
    for (let i = 0; i < count; i += 1) statuses.push((await ask()).status);
    return statuses;
  };

  test('more than 20 new visitors a minute from one address', async () => {
    const client = chatClient(service.url);
    const statuses = await lastOf(20, () => client.post('visitors', { workspaceId }));
    expect(new Set(statuses)).toEqual(new Set([201]));
    const answer = await client.post('visitors', { workspaceId });
    expect(answer).toMatchObject(TOO_MUCH);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await chatClient(service.url).post('visitors', { workspaceId })).status).toBe(201);
  });

  test('more than 30 messages a minute of one visitor, from however many addresses', async () => {
    const { token } = await newVisitor();
    const write = () => chatClient(service.url, { token }).write();
    expect(new Set(await lastOf(30, write))).toEqual(new Set([201]));
    expect(await write()).toMatchObject(TOO_MUCH);
    expect(await db().message.count({ where: { workspaceId } })).toBe(30);
  });

  test('more than 120 messages a minute from one address, of however many visitors', async () => {
    const address = newAddress();
    const visitors = await Promise.all(Array.from({ length: 5 }, newVisitor));
    const clients = visitors.map(({ token }) => chatClient(service.url, { token, address }));
    const statuses = await Promise.all(clients.map(({ post }) => lastOf(24, () => post('rating', {}))));
    expect(new Set(statuses.flat())).toEqual(new Set([422]));
    expect(await clients[0]?.write()).toMatchObject(TOO_MUCH);
  });
});

describe('a message is refused, and says why', () => {
  test.each([
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
  ])('%s', async (_what, written, field, sentence) => {
    const { write } = await newVisitor();
    const { status, body } = await write(written);
    expect([status, body]).toEqual([422, { message: sentence, errors: { [field]: [sentence] } }]);
  });

  test('that is no form, or one of too many parts', async () => {
    const visitor = await newVisitor();
    const form = new FormData();
    for (let i = 0; i < 30; i += 1) form.append('content', 'x');
    for (const init of [
      { body: '{}' },
      { body: 'x', headers: { 'content-type': 'multipart/form-data' } },
      { body: form },
    ]) {
      expect((await visitor.ask('POST', 'messages', init)).status).toBe(422);
    }
  });
});

describe('a visitor hears', () => {
  const open = new Set<IncomingMessage>();
  afterEach(() => {
    for (const answer of open) answer.destroy();
    open.clear();
  });

  async function listen(token: string, url = service.url) {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': newAddress() };
      get(`${url}/api/chat/live`, { headers, agent: false }, resolve).on('error', reject);
    });
    open.add(answer);
    const stream = { status: answer.statusCode, text: '', ended: false };
    answer.setEncoding('utf8').on('data', (text: string) => {
      stream.text += text;
    });
    answer.on('close', () => {
      stream.ended = true;
    });
    answer.on('error', () => undefined);
    await until('the stream began', () => stream.text.includes('retry:') || stream.ended);
    return stream;
  }
  const news = ({ text }: { text: string }) => text.match(/event: changed/g)?.length ?? 0;

  test('at once that a teammate replied, whichever server the reply came through, and of no other conversation', async () => {
    const [ada, eve] = [await makeWriter({ name: 'Ada' }), await makeWriter({ name: 'Eve' })];
    const elsewhere = await startServerProcess();
    const streams = [await listen(ada.token), await listen(ada.token, elsewhere.url)];
    const strangers = await listen(eve.token);
    await reply(ada.id, 'Here I am');
    for (const stream of streams) await until('the reply was heard', () => news(stream) > 0);
    await reply(eve.id, 'And here');
    await until('the other reply was heard', () => news(strangers) > 0);
    expect(news(strangers)).toBe(1);
    expect(strangers.text).not.toMatch(/Here|[0-9a-f]{8}-/);
    expect(await elsewhere.stop()).toBe(0);
  });

  test('of the conversation that theirs was merged into, without listening again', async () => {
    const [phone, laptop] = [await makeWriter(), await makeWriter()];
    const stream = await listen(phone.token);
    await mergeConversations({ workspaceId, id: phone.id, intoId: laptop.id, actor });
    await until('the merge was heard', () => news(stream) === 1);
    await until('the reply there is heard', async () => {
      await reply(laptop.id, 'After');
      return news(stream) > 1;
    });
  });

  test('on five pages; the oldest has to do without', async () => {
    const { token } = await makeWriter();
    const first = await listen(token);
    for (let i = 0; i < 5; i += 1) await listen(token);
    await until('the oldest ended', () => first.ended);
    expect(first.text).toContain('event: enough');
  });
});

describe('a rating', () => {
  test('is possible once the conversation is solved, and changed by another one, of which no one is notified', async () => {
    const { id, post, see, write } = await makeWriter();
    expect((await post('rating', { score: 5 })).status).toBe(422);
    await reply(id, 'Solved');
    await update(id, 'solved');
    expect(await see()).toMatchObject({ ended: 'solved', rating: null });
    expect(viewOf(await post('rating', { score: 2, comment: ' Slow ' })).rating).toEqual({
      score: 2,
      comment: 'Slow',
    });
    expect(viewOf(await post('rating', { score: 4 })).rating).toEqual({ score: 4, comment: null });
    const rated = (await recordedEvents(workspaceId)).filter(({ event }) => event === 'conversation.rated');
    expect(rated).toHaveLength(1);
    expect(viewOf(await write({ content: 'Wait' }))).toMatchObject({ ended: null, rating: null });
    await update(id, 'solved');
    expect(await see()).toMatchObject({ ended: 'solved', rating: null });
  });

  test.each([
    {},
    { score: 0 },
    { score: 6 },
    { score: 2.5 },
    { score: '5' },
    { score: 5, comment: 'x'.repeat(2_001) },
  ])('that cannot be is refused (%#)', async (body) => {
    const { id, post } = await makeWriter();
    await update(id, 'solved');
    expect((await post('rating', body)).status).toBe(422);
    expect(await db().rating.count({ where: { workspaceId } })).toBe(0);
  });
});

describe('a file', () => {
  const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  const file = (content: Uint8Array<ArrayBuffer> | string, name: string, type = '') =>
    new File([content], name, { type });

  async function sendFile(sent: File) {
    const visitor = await newVisitor();
    const [message] = viewOf(await visitor.write({ content: '', files: [sent] })).messages;
    const [attachment] = message?.attachments ?? [];
    if (!attachment) throw new Error('No file was kept.');
    return { visitor, attachment };
  }

  /** Opens a file as a teammate, of this workspace unless another is given. */
  async function openAs(id: string, memberOf = workspaceId) {
    const user = await makeUser();
    await addMember(memberOf, user.id, 'viewer');
    const cookie = await signInAs(service.url, user);
    return fetch(`${service.url}/attachments/${id}`, { headers: { cookie } });
  }

  test('comes with its message, is counted, and opens for the visitor and for teammates', async () => {
    const { visitor, attachment } = await sendFile(file(PNG, '../../photo one.png', 'image/png'));
    expect(attachment).toEqual({
      id: expect.any(String),
      name: 'photo one.png',
      contentType: 'image/png',
      sizeBytes: PNG.length,
    });
    const [event] = (await recordedEvents(workspaceId)).filter((each) => each.event === 'message.received');
    expect(event).toMatchObject({ message: { content: '', attachments_count: 1 } });
    for (const response of [
      await openAs(attachment.id),
      await fetch(`${service.url}/api/chat/attachments/${attachment.id}`, {
        headers: { authorization: `Bearer ${visitor.token}` },
      }),
    ]) {
      expect(response.status).toBe(200);
      expect(Buffer.from(await response.arrayBuffer())).toEqual(PNG);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'image/png',
        'content-disposition': `inline; filename="photo one.png"; filename*=UTF-8''photo%20one.png`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
        'cache-control': 'private, max-age=300',
      });
    }
  });

  test.each([
    ['a page', 'text/html', '<script>alert(document.cookie)</script>'],
    ['a page that is said to be a picture', 'image/png', '<script>alert(1)</script>'],
    ['a drawing', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['XHTML', 'application/xhtml+xml', '<html xmlns="http://www.w3.org/1999/xhtml"/>'],
  ])('that is %s is only ever saved, as bytes of no kind', async (_what, type, content) => {
    const { attachment } = await sendFile(file(content, `x".html\r\nX-Evil: 1`, type));
    const { headers } = await openAs(attachment.id);
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="[\w .()-]+"; filename\*=UTF-8''[\w%.-]+$/,
    );
    expect(headers.get('x-evil')).toBeNull();
    expect(headers.get('content-security-policy')).toContain('sandbox');
  });

  test('cannot be opened by others: another visitor, another workspace, someone without a session', async () => {
    const { attachment } = await sendFile(file(PNG, 'a.png', 'image/png'));
    const other = await makeWriter();
    const stranger = await openAs(attachment.id, (await makeWorkspace()).id);
    expect([stranger.status, await stranger.json()]).toEqual([404, { message: 'There is no such file.' }]);
    expect((await other.ask('GET', `attachments/${attachment.id}`)).status).toBe(404);
    expect((await fetch(`${service.url}/attachments/${attachment.id}`)).status).toBe(401);
    expect((await openAs('no-such-file')).status).toBe(404);
    const headers = { 'sec-fetch-dest': 'document' };
    const link = await fetch(`${service.url}/attachments/${attachment.id}`, { headers, redirect: 'manual' });
    expect([link.status, link.headers.get('location')]).toEqual([
      303,
      `/sign-in?next=${encodeURIComponent(`/attachments/${attachment.id}`)}`,
    ]);
  });

  test.each([
    ['six of them', Array.from({ length: 6 }, () => file('x', 'a.txt')), 422],
    ['an empty one', [file('', 'a.txt')], 422],
    ['one of more than 10 MB', [file(new Uint8Array(10 * 1024 * 1024 + 1), 'a.bin')], 413],
    [
      'more than 20 MB together',
      Array.from({ length: 3 }, () => file(new Uint8Array(8 * 1024 * 1024), 'a.bin')),
      413,
    ],
  ])('is refused with its message: %s', async (_what, files, status) => {
    const visitor = await newVisitor();
    const answer = await visitor.write({ files });
    expect(answer).toMatchObject({ status, body: { errors: { files: [expect.any(String)] } } });
    expect((await visitor.see()).messages).toEqual([]);
  });

  test('may be as large as is said, with others of 20 MB together', async () => {
    const large = () => file(new Uint8Array(10 * 1024 * 1024).fill(7), 'a.bin');
    const visitor = await newVisitor();
    const view = viewOf(await visitor.write({ files: [large(), large()] }));
    expect(view.messages[0]?.attachments.map(({ sizeBytes }) => sizeBytes)).toEqual([10485760, 10485760]);
  });
});
