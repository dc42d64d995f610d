import { describe, expect } from 'vitest';
import { revokeToken } from '#server/automation/tokens/api-tokens.ts';
import { db } from '#server/core/database/prisma.ts';
import { DEVELOPER_API_PATH } from '#server/core/env.ts';
import { ATTACHMENT_MAX_BYTES } from '#server/inbox/files/content-types.ts';
import { developerClient } from '#test/clients/api-client.ts';
import { makeApiToken } from '#test/fixtures/api-tokens.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

const PDF = Buffer.from('%PDF-1.7 Invoice 1042');
const GONE = {
  attachment_ids: [expect.stringContaining('does not exist, is named twice, was already sent or has')],
};

type File = {
  name?: string;
  type?: string;
  content?: Buffer<ArrayBuffer> | string;
  field?: string;
  key?: string;
};
type Uploaded = { status: number; body: Record<string, unknown>; headers: Headers };

/**
 * `upload` sends a file with a token, by default one of the test's workspace. `api` calls the API with that token. `reply` sends a
 * reply with files.
 */
const test = serviceTest
  .extend('token', async ({ connection: { workspaceId, teammate: by } }) =>
    makeApiToken({ where: { workspaceId, by }, abilities: ['read', 'write_conversations'] }),
  )
  .extend('api', ({ service, token }) => developerClient(service.url, token.token))
  .extend('upload', ({ service, token: own }) => async (file: File = {}, token = own.token) => {
    const { name = 'invoice.pdf', type = 'application/pdf', content = PDF, field = 'file', key } = file;
    const form = new FormData();
    form.append(field, new Blob([content], { type }), name);
    const headers = { authorization: `Bearer ${token}`, ...(key ? { 'idempotency-key': key } : {}) };
    const url = `${service.url}${DEVELOPER_API_PATH}/files`;
    const response = await fetch(url, { method: 'POST', headers, body: form });
    return { status: response.status, body: await response.json(), headers: response.headers } as Uploaded;
  })
  .extend(
    'reply',
    ({ api, conversation }) =>
      (attachment_ids: unknown, key?: string) =>
        api(
          'POST',
          `/conversations/${conversation}/replies`,
          { content: 'Here it is', attachment_ids },
          key === undefined ? {} : { 'idempotency-key': key },
        ),
  );

test('a program uploads files and sends them with a reply, whose message lists them', async ({
  api,
  upload,
  reply,
  conversation,
  service,
  token,
}) => {
  const pdf = await upload();
  expect(pdf).toMatchObject({
    status: 201,
    body: { name: 'invoice.pdf', content_type: 'application/pdf', size_bytes: PDF.length },
  });
  const text = await upload({ name: 'notes.txt', type: 'text/plain', content: 'Thanks' });
  const { status, body } = await reply([pdf.body.id, text.body.id]);
  expect(status, JSON.stringify(body)).toBe(201);
  const listed = await api('GET', `/conversations/${conversation}/messages`);
  const { data } = listed.body as { data: { content: string; attachments: Record<string, unknown>[] }[] };
  const files = data.find(({ content }) => content === 'Here it is')?.attachments ?? [];
  expect(files).toMatchObject([
    { name: 'invoice.pdf', content_type: 'application/pdf', size_bytes: PDF.length },
    { name: 'notes.txt', content_type: 'text/plain', size_bytes: 6 },
  ]);
  const url = new URL(String(files[0]?.url));
  const headers = { authorization: `Bearer ${token.token}` };
  const file = await fetch(`${service.url}${url.pathname}`, { headers });
  expect(Buffer.from(await file.arrayBuffer())).toEqual(PDF);
});

test('a file is deleted after seven days without a reply, and after an hour if the call failed', async ({
  upload,
  connection: { workspaceId },
}) => {
  const daysLeft = async () => {
    const rows = await db().storedFile.findMany({ where: { workspaceId }, select: { expiresAt: true } });
    return rows.map(({ expiresAt }) => (Number(expiresAt) - Date.now()) / 86_400_000);
  };
  await upload();
  expect(await daysLeft()).toEqual([expect.closeTo(7, 1)]);
  await upload({ content: '' });
  expect((await daysLeft()).filter((days) => days > 1)).toHaveLength(1);
});

test('a repeated upload with the same key stores one file, however its form is written, and another file is refused', async ({
  upload,
  reply,
}) => {
  const first = await upload({ key: 'upload-1' });
  const again = await upload({ key: 'upload-1' });
  expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([
    201,
    first.body,
    'true',
  ]);
  expect(await upload({ key: 'upload-1', content: 'other' })).toMatchObject({
    status: 422,
    body: { errors: { 'Idempotency-Key': [expect.stringContaining('already used')] } },
  });
  const sent = await reply([first.body.id], 'reply-1');
  const repeated = await reply([first.body.id], 'reply-1');
  expect([sent.status, repeated.body]).toEqual([201, sent.body]);
});

describe('a reply is refused with', () => {
  test('a file that was already sent, is named twice, or has expired, and nothing is sent', async ({
    api,
    upload,
    reply,
    conversation,
    connection: { workspaceId },
  }) => {
    const used = await upload();
    expect((await reply([used.body.id])).status).toBe(201);
    expect(await reply([used.body.id])).toMatchObject({ status: 422, body: { errors: GONE } });
    const twice = await upload();
    expect(await reply([twice.body.id, twice.body.id])).toMatchObject({
      status: 422,
      body: { errors: GONE },
    });
    await db().storedFile.updateMany({
      where: { workspaceId, expiresAt: { not: null } },
      data: { expiresAt: new Date(Date.now() - 1_000) },
    });
    expect(await reply([twice.body.id])).toMatchObject({ status: 422, body: { errors: GONE } });
    const { body } = await api('GET', `/conversations/${conversation}/messages`);
    expect((body as { data: object[] }).data).toHaveLength(1);
  });

  test('too many files, files that are too large together, or anything else than ids', async ({
    upload,
    reply,
  }) => {
    const small: unknown[] = [];
    for (let n = 0; n < 6; n += 1) small.push((await upload({ content: `${n}` })).body.id);
    const large: unknown[] = [];
    for (let n = 0; n < 3; n += 1)
      large.push((await upload({ content: Buffer.alloc(ATTACHMENT_MAX_BYTES - 1) })).body.id);
    for (const ids of [small, large, ['x'], [''], ['e30.x'], [7], 'x', [String(small[0]).slice(0, -2)]]) {
      expect(await reply(ids), JSON.stringify(ids).slice(0, 80)).toMatchObject({
        status: 422,
        body: { errors: { attachment_ids: [expect.any(String)] } },
      });
    }
    expect((await reply(small.slice(1))).status).toBe(201);
    expect((await reply(null)).status).toBe(201);
    expect((await reply([])).status).toBe(201);
  });
});

describe('an upload is refused', () => {
  test('if the file is too large, empty or missing, or the body is no form', async ({
    upload,
    api,
    service,
    token,
  }) => {
    expect(await upload({ content: Buffer.alloc(ATTACHMENT_MAX_BYTES + 1) })).toMatchObject({ status: 413 });
    expect(await upload({ content: Buffer.alloc(ATTACHMENT_MAX_BYTES + 200_000) })).toMatchObject({
      status: 413,
    });
    const refused = { status: 422, body: { errors: { file: [expect.any(String)] } } };
    expect(await upload({ content: '' })).toMatchObject(refused);
    expect(await api('POST', '/files', { file: 'x' })).toMatchObject(refused);
    expect(await api('POST', '/files')).toMatchObject(refused);
    const form = new FormData();
    for (const name of ['a.txt', 'b.txt']) form.append('file', new Blob(['x']), name);
    const two = await fetch(`${service.url}${DEVELOPER_API_PATH}/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token.token}` },
      body: form,
    });
    expect(two.status).toBe(422);
  });

  test('without the ability to write conversations, and 61 times a minute', async ({ upload, token }) => {
    const { token: reading } = await makeApiToken({ where: token, abilities: ['read', 'write_contacts'] });
    expect(await upload({}, reading)).toMatchObject({
      status: 403,
      body: { message: 'This token needs the ability write_conversations.' },
    });
    for (let n = 0; n < 60; n += 1) expect((await upload({ content: 'x' })).status).toBe(201);
    const { status, headers } = await upload({ content: 'x' });
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true]);
  });
});

describe('an attacker', () => {
  test('cannot send a file of another workspace, whose id they know', async ({ upload, reply }) => {
    const other = await makeApiToken();
    const theirs = await upload({ content: 'secret' }, other.token);
    expect(theirs.status).toBe(201);
    expect(await reply([theirs.body.id])).toMatchObject({ status: 422, body: { errors: GONE } });
  });

  test('cannot name a stored file that they did not upload, or change the name or type of theirs', async ({
    upload,
    reply,
    connection,
  }) => {
    const { body } = await upload();
    const [stored = '', signature] = String(body.id).split('.');
    const file = JSON.parse(Buffer.from(stored, 'base64url').toString());
    const { id } = await db().storedFile.create({
      data: {
        id: crypto.randomUUID(),
        workspaceId: connection.workspaceId,
        store: 'database',
        sizeBytes: 1,
        expiresAt: new Date(Date.now() + 60_000),
      },
    });
    for (const change of [{ id }, { name: 'invoice.html' }, { contentType: 'text/html' }, { sizeBytes: 1 }]) {
      const forged = Buffer.from(JSON.stringify({ ...file, ...change })).toString('base64url');
      expect(await reply([`${forged}.${signature}`])).toMatchObject({ status: 422, body: { errors: GONE } });
    }
    expect((await reply([body.id])).status).toBe(201);
  });

  test('cannot make the service store a page: other types are downloads', async ({ upload }) => {
    const types = ['text/html', 'image/svg+xml', 'image/png'];
    for (const type of types) {
      const { body } = await upload({ name: '../../a.html', type, content: '<script>' });
      expect(body).toMatchObject({ content_type: 'application/octet-stream' });
      expect(String(body.name)).not.toContain('/');
    }
  });

  test('gets no file into a reply with a token that is revoked', async ({ upload, token, connection }) => {
    const { workspaceId, teammate: by } = connection;
    await revokeToken({ workspaceId, id: token.id, by });
    expect((await upload()).status).toBe(401);
  });

  test('reaches no conversation of another workspace with their own file', async ({ api, upload }) => {
    const { by, workspaceId } = await makeApiToken();
    const foreign = await makeConversation({ workspaceId, teammate: by });
    const { body } = await upload();
    const sent = { content: 'Hello', attachment_ids: [body.id] };
    expect((await api('POST', `/conversations/${foreign}/replies`, sent)).status).toBe(404);
  });
});
