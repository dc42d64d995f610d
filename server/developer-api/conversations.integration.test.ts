import { MAX } from 'uuid';
import { describe, expect } from 'vitest';
import { tagKey } from '#server/contract/tag-key.ts';
import { db } from '#server/core/database/prisma.ts';
import { type Api, developerClient } from '#test/clients/api-client.ts';
import { makeApiToken } from '#test/fixtures/api-tokens.ts';
import { type ConversationColumns, makeConversation, recordOf } from '#test/fixtures/conversations.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { replyWithFile } from '#test/fixtures/stored-files.ts';

type Conversation = { id: string; updated_at: string; merged_into_id: string | null };
type Page<Item = Conversation> = { data: Item[]; next_cursor: string | null };

/** `test` with an API token, its client, and a function that creates conversations in its workspace, each changed a minute later. */
const test = serviceTest
  .extend('made', () => makeApiToken())
  .extend('developer', ({ service, made }) => developerClient(service.url, made.token))
  .extend('make', ({ made: { workspaceId, by } }) => {
    let minutes = 0;
    return (columns: ConversationColumns = {}): Promise<string> => {
      minutes += 1;
      const updatedAt = new Date(Date.UTC(2026, 5, 1) + minutes * 60_000);
      return makeConversation({ workspaceId, teammate: by }, { updatedAt, ...columns });
    };
  });

describe('GET /conversations', () => {
  test('reads every conversation once by its cursors, also one that is added or changed in the meantime', async ({
    developer,
    make,
  }) => {
    const made: string[] = [];
    const statuses = ['open', 'solved', 'pending', 'closed', 'open'] as const;
    for (const status of statuses) made.push(await make({ status }));
    const first = await page(developer, 'limit=2');
    expect(idsOf(first)).toEqual(made.slice(0, 2));
    await db().conversation.update({ where: { id: made[0] ?? '' }, data: { priority: 'high' } });
    const added = await make({ updatedAt: new Date() });
    const second = await page(developer, `limit=2&cursor=${first.next_cursor}`);
    const third = await page(developer, `limit=100&cursor=${second.next_cursor}`);
    expect([...idsOf(second), ...idsOf(third)]).toEqual([...made.slice(2), made[0], added]);
    expect(third.next_cursor).toBeNull();

    const newest = await page(developer, 'order=desc&limit=4');
    expect(idsOf(newest)).toEqual([added, made[0], made[4], made[3]]);
    expect(idsOf(await page(developer, `order=desc&limit=2&cursor=${newest.next_cursor}`))).toEqual([
      made[2],
      made[1],
    ]);
  });

  test('finds conversations by each parameter, and by several together', async ({
    developer,
    make,
    made,
  }) => {
    const one = await make({ status: 'pending', channel: 'telegram' });
    const two = await make({ status: 'open', assigneeId: null, assignedAt: null, teamId: null });
    const three = await make({ status: 'open' });
    await db().conversationTag.createMany({
      data: [one, two].map((conversationId) => ({
        workspaceId: made.workspaceId,
        conversationId,
        name: 'Zürich',
        key: tagKey('Zürich'),
      })),
    });
    const { team, contact } = await recordOf(one);
    const since = encodeURIComponent((await recordOf(two)).updated_at);
    const table: [query: string, found: string[]][] = [
      ['', [one, two, three]],
      ['status=open', [two, three]],
      [`assignee_id=${made.by.id}`, [one, three]],
      [`assignee_id=${made.by.id}&status=open`, [three]],
      ['assignee_id=none', [two]],
      ['assignee_id=nobody', []],
      [`team_id=${team?.id}`, [one]],
      ['team_id=none', [two]],
      [`team_id=${team?.id}&assignee_id=${made.by.id}&order=desc`, [one]],
      ['channel=telegram', [one]],
      ['channel=email&status=closed', []],
      ['tag=ZÜRICH', [one, two]],
      ['tag=zürich&status=open', [two]],
      [`tag=zürich&updated_since=${since}`, [two]],
      ['tag=other', []],
      [`contact_id=${contact?.id}`, [one]],
      [`contact_id=${contact?.id}&status=open`, []],
      [`contact_id=${MAX}`, []],
      [`updated_since=${since}`, [two, three]],
      [`updated_since=${since}&channel=email&status=open&assignee_id=none`, [two]],
    ];
    for (const [query, found] of table) {
      const read = await page(developer, query);
      expect([query, idsOf(read), read.next_cursor]).toEqual([query, found, null]);
    }
  });

  test('leaves out merged, spam and deleted conversations and tests of the AI agent', async ({
    developer,
    make,
    made,
  }) => {
    const shown = await make();
    const removed = { removedAt: new Date() };
    const hidden = [
      await make({ isTest: true }),
      await make({ removal: 'spam', ...removed }),
      await make({ removal: 'deleted', ...removed }),
    ];
    const merged = await make({ mergedIntoId: shown });
    for (const query of [
      '',
      `assignee_id=${made.by.id}`,
      'tag=shipping',
      'assignee_id=none',
      'channel=email',
    ])
      expect(idsOf(await page(developer, query)), query).toEqual(query === 'assignee_id=none' ? [] : [shown]);
    for (const id of hidden) {
      expect((await developer('GET', `/conversations/${id}`)).status).toBe(404);
      expect((await developer('GET', `/conversations/${id}/messages`)).status).toBe(404);
    }
    expect((await developer('GET', `/conversations/${merged}`)).body).toMatchObject({
      merged_into_id: shown,
    });
    await db().conversation.update({ where: { id: shown }, data: { removal: 'deleted', ...removed } });
    expect((await developer('GET', `/conversations/${merged}`)).status).toBe(404);
  });

  test.for([
    ['limit=101', 'limit'],
    ['cursor=x', 'cursor'],
    ['status=new', 'status'],
    ['channel=fax', 'channel'],
    ['order=newest', 'order'],
    ['updated_since=yesterday', 'updated_since'],
    [`tag=${'t'.repeat(41)}`, 'tag'],
    ['tag=%00', 'tag'],
  ] as const)('refuses %s', async ([query, field], { developer }) => {
    expect(await developer('GET', `/conversations?${query}`)).toMatchObject({
      status: 422,
      body: { errors: { [field]: [expect.anything()] } },
    });
  });
});

describe('GET /conversations/search', () => {
  test('finds words in contacts, subjects, messages and notes, newest message first, page by page', async ({
    developer,
    make,
    made: { workspaceId },
  }) => {
    const at = (day: number) => ({ lastMessageAt: new Date(Date.UTC(2026, 6, day)) });
    const subject = await make({ ...at(1), subject: 'Refunds of March' });
    const message = await make({ ...at(3), status: 'solved' });
    const note = await make(at(2));
    await make({ ...at(4), subject: 'Other' });
    const record = {
      workspaceId,
      conversationId: message,
      content: 'Please refund me',
      authorKind: 'contact' as const,
    };
    await db().message.create({ data: { ...record, direction: 'inbound' } });
    await db().note.create({ data: { ...record, conversationId: note, content: 'Was refunded' } });
    const find = async (query: string) => {
      const { status, body } = await developer('GET', `/conversations/search?${query}`);
      expect(status).toBe(200);
      return body as Page;
    };
    const first = await find('query=refund&limit=2');
    expect(idsOf(first)).toEqual([message, note]);
    expect(await find(`query=refund&limit=2&cursor=${first.next_cursor}`)).toMatchObject({
      data: [{ id: subject, merged_into_id: null }],
      next_cursor: null,
    });
    expect(idsOf(await find('query=refund&status=solved'))).toEqual([message]);
    expect(idsOf(await find('query=Lovelace'))).toHaveLength(4);
    expect(idsOf(await find('query=%2D'))).toEqual([]);
    expect((await developer('GET', '/conversations/search')).status).toBe(422);
  });

  test('finds nothing of another workspace', async ({ developer, make, service }) => {
    await make({ subject: 'Secret' });
    const stranger = developerClient(service.url, (await makeApiToken()).token);
    expect((await stranger('GET', '/conversations/search?query=secret')).body).toEqual({
      data: [],
      next_cursor: null,
    });
    expect(((await developer('GET', '/conversations/search?query=secret')).body as Page).data).toHaveLength(
      1,
    );
  });
});

test('a conversation has the fields of the automation API and those of programs', async ({
  developer,
  make,
}) => {
  const snoozedUntil = new Date('2027-01-02T03:04:05.678Z');
  const id = await make({ status: 'pending', snoozedUntil, lastMessageAt: snoozedUntil });
  expect((await developer('GET', `/conversations/${id}`)).body).toEqual({
    ...(await recordOf(id)),
    last_message_at: '2027-01-02T03:04:05.678+00:00',
    snoozed_until: '2027-01-02T03:04:05.678+00:00',
    merged_into_id: null,
  });
});

describe('the messages of a conversation', () => {
  test('are read in order with their authors and files, also those of merged conversations', async ({
    developer,
    make,
    made: { workspaceId, by },
  }) => {
    const id = await make();
    const merged = await make({ mergedIntoId: id });
    const at = (minute: number) => new Date(Date.UTC(2026, 5, 2, 0, minute));
    const write = (columns: object, minute: number, conversationId = id) =>
      db().message.create({
        data: {
          workspaceId,
          conversationId,
          direction: 'inbound',
          authorKind: 'contact',
          content: `Message ${minute}`,
          createdAt: at(minute),
          ...columns,
        },
      });
    const ours = { direction: 'outbound', authorKind: 'teammate', authorId: by.id, authorName: by.name };
    await write({ authorAddress: 'ada@engines.test', mailTo: ['support@acme.test'], automatic: true }, 1);
    await write({ ...ours, sendStatus: 'sending', cc: ['cc@acme.test'], bcc: ['bcc@acme.test'] }, 3);
    const file = await db().storedFile.create({ data: { workspaceId, store: 'database', sizeBytes: 5 } });
    const withFile = await write(
      { authorName: 'Carla Copied', attachmentsCount: 1, editedAt: at(9) },
      2,
      merged,
    );
    await db().attachment.create({
      data: {
        id: file.id,
        fileId: file.id,
        workspaceId,
        messageId: withFile.id,
        name: 'a.txt',
        contentType: 'text/plain',
        sizeBytes: 5,
      },
    });
    const { contact } = await recordOf(id);
    const first = await list(developer, id, 'limit=2');
    expect(first.data).toMatchObject([
      {
        conversation_id: id,
        direction: 'inbound',
        author: { type: 'contact', id: contact?.id, name: 'Ada Lovelace', email: 'ada@engines.test' },
        content: 'Message 1',
        is_automatic: true,
        to: ['support@acme.test'],
        attachments: [],
        send_status: null,
        created_at: '2026-06-02T00:01:00.000+00:00',
        edited_at: null,
      },
      {
        conversation_id: merged,
        author: { type: 'contact', id: null, name: 'Carla Copied', email: null },
        attachments: [
          {
            id: file.id,
            name: 'a.txt',
            content_type: 'text/plain',
            size_bytes: 5,
            is_inline: false,
            url: expect.stringMatching(`/attachments/${file.id}$`),
          },
        ],
        edited_at: '2026-06-02T00:09:00.000+00:00',
      },
    ]);
    const second = await list(developer, id, `cursor=${first.next_cursor}`);
    expect(second).toMatchObject({
      data: [
        {
          direction: 'outbound',
          author: { type: 'teammate', id: by.id, name: 'Olivia Owen', email: null },
          cc: ['cc@acme.test'],
          bcc: ['bcc@acme.test'],
          send_status: null,
        },
      ],
      next_cursor: null,
    });
    const newest = await list(developer, id, 'order=desc&limit=2');
    const oldest = await list(developer, id, `order=desc&cursor=${newest.next_cursor}`);
    expect([...idsOf(newest), ...idsOf(oldest)]).toEqual([...idsOf(first), ...idsOf(second)].reverse());
    expect((await list(developer, merged)).data).toHaveLength(1);
    const empty = await make();
    expect(await list(developer, empty)).toEqual({ data: [], next_cursor: null });
  });

  test('have files, which a token that reads gets at their url, unlike another workspace or one that only writes', async ({
    developer,
    make,
    made: { workspaceId, by, token },
    service,
  }) => {
    const id = await make({ channel: 'webchat' });
    await replyWithFile({ workspaceId, by }, { name: 'a.txt', content: 'Hello' });
    const { data } = (await list(developer, id)) as unknown as { data: { attachments: { url: string }[] }[] };
    const path = new URL(data[0]?.attachments[0]?.url ?? '').pathname;
    const get = async (text: string) => {
      const response = await fetch(service.url + path, { headers: { authorization: `Bearer ${text}` } });
      return { status: response.status, text: await response.text(), headers: response.headers };
    };
    const file = await get(token);
    expect(file).toMatchObject({ status: 200, text: 'Hello' });
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-disposition': expect.stringContaining('a.txt'),
      'request-id': file.headers.get('x-request-id'),
      'x-ratelimit-limit': '600',
    });
    expect((await get((await makeApiToken()).token)).status).toBe(404);
    expect((await get('inbox_pk_live_none')).status).toBe(401);
    const writer = await makeApiToken({ abilities: ['write_contacts'], where: { workspaceId, by } });
    const refused = await get(writer.token);
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('the ability read')]);
    await db().conversation.update({ where: { id }, data: { removal: 'spam', removedAt: new Date() } });
    expect((await get(token)).status).toBe(404);
  });

  test('and its notes are pages of their own', async ({ developer, make, made: { workspaceId, by } }) => {
    const id = await make();
    for (const content of ['One', 'Two'])
      await db().note.create({
        data: {
          workspaceId,
          conversationId: id,
          authorKind: 'teammate',
          authorId: by.id,
          authorName: by.name,
          content,
        },
      });
    const first = (await developer('GET', `/conversations/${id}/notes?limit=1`)).body as Page;
    expect(first.data).toMatchObject([
      { conversation_id: id, content: 'One', author: { type: 'teammate', id: by.id, name: 'Olivia Owen' } },
    ]);
    const next = await developer('GET', `/conversations/${id}/notes?cursor=${first.next_cursor}`);
    expect(next.body).toMatchObject({ data: [{ content: 'Two' }], next_cursor: null });
  });
});

test('an attacker reads nothing of another workspace by its ids or cursors', async ({
  service,
  developer,
  make,
}) => {
  const id = await make();
  const { contact, team, assignee } = await recordOf(id);
  for (let n = 0; n < 2; n += 1) await make();
  const { next_cursor } = await page(developer, 'limit=1');
  const stranger = developerClient(service.url, (await makeApiToken()).token);
  for (const path of [`/conversations/${id}`, `/conversations/${id}/messages`, `/conversations/${id}/notes`])
    expect((await stranger('GET', path)).status, path).toBe(404);
  for (const query of [
    `contact_id=${contact?.id}`,
    `team_id=${team?.id}`,
    `assignee_id=${assignee?.id}`,
    `cursor=${next_cursor}`,
    `tag=shipping&cursor=${next_cursor}`,
  ])
    expect(await page(stranger, query), query).toEqual({ data: [], next_cursor: null });
  const messages = await stranger('GET', `/conversations/${id}/messages?cursor=${next_cursor}`);
  expect(messages.status).toBe(404);
});

async function page(api: Api, query: string): Promise<Page> {
  const { status, body } = await api('GET', `/conversations?${query}`);
  expect([query, status]).toEqual([query, 200]);
  return body as Page;
}

async function list(api: Api, id: string, query = ''): Promise<Page> {
  return (await api('GET', `/conversations/${id}/messages?${query}`)).body as Page;
}

function idsOf({ data }: Page): string[] {
  return data.map(({ id }) => id);
}
