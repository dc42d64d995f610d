import { describe, expect } from 'vitest';
import { type makeChatVisitor, viewOf } from '#test/clients/chat-client.ts';
import { signInAs } from '#test/clients/sign-in.ts';
import { recordedEvents } from '#test/database/recorded-events.ts';
import { test } from '#test/fixtures/chat-test.ts';
import { addMember, makeUser, makeWorkspace } from '#test/fixtures/factories.ts';

describe('a file in the web chat', () => {
  test('is received with its message, is counted, and opens for the visitor and for teammates', async ({
    service,
    workspaceId,
    newVisitor,
  }) => {
    const { visitor, attachment } = await sendFile(newVisitor, file(PNG, '../../photo one.png', 'image/png'));
    expect(attachment).toEqual({
      id: expect.any(String),
      name: 'photo one.png',
      contentType: 'image/png',
      sizeBytes: PNG.length,
    });
    const [event] = (await recordedEvents(workspaceId)).filter((each) => each.event === 'message.received');
    expect(event).toMatchObject({ message: { content: '[1 file]', attachments_count: 1 } });
    for (const response of [
      await openAs(service.url, workspaceId, attachment.id),
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

  test.for([
    ['a page', 'text/html', '<script>alert(document.cookie)</script>'],
    ['a page with the type of a picture', 'image/png', '<script>alert(1)</script>'],
    ['an SVG', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['XHTML', 'application/xhtml+xml', '<html xmlns="http://www.w3.org/1999/xhtml"/>'],
  ] as const)(
    'that is %s is only downloaded, as application/octet-stream',
    async ([_what, type, content], { service, workspaceId, newVisitor }) => {
      const { attachment } = await sendFile(newVisitor, file(content, `x".html\r\nX-Evil: 1`, type));
      const { headers } = await openAs(service.url, workspaceId, attachment.id);
      expect(headers.get('content-type')).toBe('application/octet-stream');
      expect(headers.get('content-disposition')).toMatch(
        /^attachment; filename="[\w .()-]+"; filename\*=UTF-8''[\w%.-]+$/,
      );
      expect(headers.get('x-evil')).toBeNull();
      expect(headers.get('content-security-policy')).toContain('sandbox');
    },
  );

  test('cannot be opened by an attacker: another visitor, another workspace, or without a session', async ({
    service,
    workspaceId,
    newVisitor,
    makeWriter,
  }) => {
    const { attachment } = await sendFile(newVisitor, file(PNG, 'a.png', 'image/png'));
    const other = await makeWriter();
    const stranger = await openAs(service.url, (await makeWorkspace()).id, attachment.id);
    expect([stranger.status, await stranger.json()]).toEqual([404, { message: 'The file was not found.' }]);
    expect((await other.request('GET', `attachments/${attachment.id}`)).status).toBe(404);
    expect((await fetch(`${service.url}/attachments/${attachment.id}`)).status).toBe(401);
    expect((await openAs(service.url, workspaceId, 'no-such-file')).status).toBe(404);
    const headers = { 'sec-fetch-dest': 'document' };
    const link = await fetch(`${service.url}/attachments/${attachment.id}`, { headers, redirect: 'manual' });
    expect([link.status, link.headers.get('location')]).toEqual([
      303,
      `/sign-in?next=${encodeURIComponent(`/attachments/${attachment.id}`)}`,
    ]);
  });

  test.for<[string, () => File[], number]>([
    ['six of them', () => Array.from({ length: 6 }, () => file('x', 'a.txt')), 422],
    ['an empty one', () => [file('', 'a.txt')], 422],
    ['one of more than 10 MB', () => [file(new Uint8Array(10 * 1024 * 1024 + 1), 'a.bin')], 413],
    [
      'more than 20 MB together',
      () => Array.from({ length: 3 }, () => file(new Uint8Array(8 * 1024 * 1024), 'a.bin')),
      413,
    ],
  ])('is refused with its message: %s', async ([_what, files, status], { newVisitor }) => {
    const visitor = await newVisitor();
    const response = await visitor.write({ files: files() });
    expect(response).toMatchObject({ status, body: { errors: { files: [expect.any(String)] } } });
    expect((await visitor.see()).messages).toEqual([]);
  });

  test('can have the maximum size, together with others up to 20 MB', async ({ newVisitor }) => {
    const large = () => file(new Uint8Array(10 * 1024 * 1024).fill(7), 'a.bin');
    const visitor = await newVisitor();
    const view = viewOf(await visitor.write({ files: [large(), large()] }));
    expect(view.messages[0]?.attachments.map(({ sizeBytes }) => sizeBytes)).toEqual([10485760, 10485760]);
  });
});

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

async function sendFile(newVisitor: NewVisitor, sent: File) {
  const visitor = await newVisitor();
  const [message] = viewOf(await visitor.write({ content: '', files: [sent] })).messages;
  const [attachment] = message?.attachments ?? [];
  if (!attachment) throw new Error('No file was stored.');
  return { visitor, attachment };
}

/** Opens a file as a teammate of a workspace. */
async function openAs(url: string, workspaceId: string, id: string) {
  const user = await makeUser();
  await addMember(workspaceId, user.id, 'viewer');
  const cookie = await signInAs(url, user);
  return fetch(`${url}/attachments/${id}`, { headers: { cookie } });
}

const file = (content: Uint8Array<ArrayBuffer> | string, name: string, type = '') =>
  new File([content], name, { type });

type NewVisitor = () => ReturnType<typeof makeChatVisitor>;
