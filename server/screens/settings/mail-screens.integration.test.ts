import { beforeEach, describe, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { storeFile } from '#server/inbox/files/store-file.ts';
import { receiveMessage } from '#server/inbox/messages/receive-message.ts';
import { signInAs } from '#test/clients/sign-in.ts';
import { incoming } from '#test/fixtures/incoming.ts';
import { withTestService } from '#test/fixtures/service.ts';
import { makeTeammates, signInTeammate, type Teammates } from '#test/fixtures/teammates.ts';

const service = withTestService();
let teammates: Teammates;
let messageId: string;
let conversationId: string;

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgAAIAAAUAAeImvDMAAAAASUVORK5CYII=',
  'base64',
);
const HTML = '<p>See</p><img src="cid:P1" /><img data-remote="https://shop.test/a.png" />';

async function* pieces(bytes: Buffer) {
  yield bytes;
}

beforeEach(async () => {
  teammates = await makeTeammates();
  const { workspaceId } = teammates;
  const picture = await storeFile(workspaceId, {
    name: 'p.png',
    contentType: 'image/png',
    source: pieces(PNG),
  });
  const original = await storeFile(workspaceId, {
    name: 'mail.eml',
    contentType: 'message/rfc822',
    source: pieces(Buffer.from('raw')),
  });
  const message = incoming(workspaceId, {
    channel: 'email',
    contact: { fields: { email: 'ada@acme.test' } },
    subject: 'Hi',
    content: 'See',
    attachments: [{ ...picture, inline: true, contentId: 'p1' }],
    mail: {
      messageIdHeader: null,
      senderVerified: false,
      to: ['support@acme.test'],
      cc: [],
      html: HTML,
      fullContent: 'See\n\n> what you wrote',
      originalFileId: original.id,
    },
  });
  ({ messageId, conversationId } = await receiveMessage(...message));
});

const get = async (path: string, teammate = teammates.agent) => {
  const cookie = await signInAs(service.url, teammate);
  return fetch(`${service.url}${path}`, { headers: { cookie } });
};

test('the thread shows the properties of an email and its pictures', async () => {
  const agent = await (await signInTeammate(teammates.agent))();
  const [item] =
    (await agent.conversations.get({ id: conversationId }))?.conversation.items.filter(
      ({ kind }) => kind === 'message',
    ) ?? [];
  expect(item).toMatchObject({
    content: 'See',
    filesElsewhere: 0,
    attachments: [{ name: 'p.png' }],
    mail: {
      isAutomatic: false,
      sender: 'not_verified',
      isTrimmed: true,
      hasHtml: true,
      hasRemotePictures: true,
      hasOriginal: true,
    },
  });
  expect(await agent.conversations.fullContent({ messageId })).toBe('See\n\n> what you wrote');
});

test.each([
  [null, 'unknown'],
  [true, 'verified'],
])('an email with the DMARC result %s has the sender %s in the thread', async (senderVerified, sender) => {
  await db().message.update({ where: { id: messageId }, data: { senderVerified } });
  const agent = await (await signInTeammate(teammates.agent))();
  const opened = await agent.conversations.get({ id: conversationId });
  const item = opened?.conversation.items.find(({ kind }) => kind === 'message');
  expect(item).toMatchObject({ mail: { sender } });
});

describe('the original email', () => {
  test('shows its own pictures, and those of other servers only on request', async () => {
    const plain = await get(`/mails/${messageId}`);
    const { id } = await db().attachment.findFirstOrThrow({ where: { messageId } });
    const page = await plain.text();
    expect(page).toContain(`src="/attachments/${id}"`);
    expect(page).not.toContain('src="https://shop.test');
    expect(plain.headers.get('content-security-policy')).toBe(
      "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox",
    );
    const withPictures = await get(`/mails/${messageId}?pictures=1`);
    expect(await withPictures.text()).toContain('src="https://shop.test/a.png"');
    expect(withPictures.headers.get('referrer-policy')).toBe('no-referrer');
  });

  test('is downloaded unchanged, and never opened by a browser', async () => {
    const response = await get(`/mails/${messageId}/original`);
    expect(await response.text()).toBe('raw');
    expect(response.headers.get('content-disposition')).toContain('attachment');
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
  });

  test('is refused to an attacker of another workspace or without a session', async () => {
    const strangers = await makeTeammates();
    for (const path of [
      `/mails/${messageId}`,
      `/mails/${messageId}/original`,
      '/mails/x',
      `/mails/${messageId}/x`,
    ]) {
      expect((await get(path, strangers.owner)).status).toBe(404);
      expect((await fetch(`${service.url}${path}`)).status).toBe(401);
    }
    const stranger = await (await signInTeammate(strangers.owner))();
    await expect(stranger.conversations.fullContent({ messageId })).rejects.toMatchObject({
      cause: { refusal: 'not_found' },
    });
  });
});
