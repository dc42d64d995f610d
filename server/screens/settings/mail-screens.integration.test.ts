import { describe, expect } from 'vitest';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { storeFile } from '#server/inbox/files/store-file.ts';
import { receiveMessage } from '#server/inbox/messages/receive-message.ts';
import { signInAs } from '#test/clients/sign-in.ts';
import { incoming } from '#test/fixtures/incoming.ts';
import { test as screensTest } from '#test/fixtures/screens-test.ts';
import { makeTeammates, signInTeammate } from '#test/fixtures/teammates.ts';

const test = screensTest.extend('email', ({ workspaceId }) => receivePicture(workspaceId));

test('the thread shows the properties of an email and its pictures', async ({
  teammates,
  email: { conversationId, messageId },
}) => {
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

test.for([
  [null, 'unknown'],
  [true, 'verified'],
] as const)(
  'an email with the DMARC result %s has the sender %s in the thread',
  async ([senderVerified, sender], { teammates, email: { messageId, conversationId } }) => {
    await db().message.update({ where: { id: messageId }, data: { senderVerified } });
    const agent = await (await signInTeammate(teammates.agent))();
    const opened = await agent.conversations.get({ id: conversationId });
    const item = opened?.conversation.items.find(({ kind }) => kind === 'message');
    expect(item).toMatchObject({ mail: { sender } });
  },
);

describe('the original email', () => {
  test('shows its own pictures, and those of other servers only on request', async ({
    service,
    teammates,
    email: { messageId },
  }) => {
    const plain = await get(service.url, teammates.agent, `/mails/${messageId}`);
    const { id } = await db().attachment.findFirstOrThrow({ where: { messageId } });
    const page = await plain.text();
    expect(page).toContain(`src="/attachments/${id}"`);
    expect(page).not.toContain('src="https://shop.test');
    expect(plain.headers.get('content-security-policy')).toBe(
      "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox",
    );
    const withPictures = await get(service.url, teammates.agent, `/mails/${messageId}?pictures=1`);
    expect(await withPictures.text()).toContain('src="https://shop.test/a.png"');
    expect(withPictures.headers.get('referrer-policy')).toBe('no-referrer');
  });

  test('is downloaded unchanged, and never opened by a browser', async ({
    service,
    teammates,
    email: { messageId },
  }) => {
    const response = await get(service.url, teammates.agent, `/mails/${messageId}/original`);
    expect(await response.text()).toBe('raw');
    expect(response.headers.get('content-disposition')).toContain('attachment');
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
  });

  test('is refused to an attacker of another workspace or without a session', async ({
    service,
    email: { messageId },
  }) => {
    const strangers = await makeTeammates();
    for (const path of [
      `/mails/${messageId}`,
      `/mails/${messageId}/original`,
      '/mails/x',
      `/mails/${messageId}/x`,
    ]) {
      expect((await get(service.url, strangers.owner, path)).status).toBe(404);
      expect((await fetch(`${service.url}${path}`)).status).toBe(401);
    }
    const stranger = await (await signInTeammate(strangers.owner))();
    await expect(stranger.conversations.fullContent({ messageId })).rejects.toMatchObject({
      cause: { refusal: 'not_found' },
    });
  });
});

/** Receives an email with a picture and an unverified sender. */
async function receivePicture(workspaceId: string) {
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
  return receiveMessage(...message);
}

async function get(url: string, teammate: Teammate, path: string): Promise<Response> {
  return fetch(`${url}${path}`, { headers: { cookie: await signInAs(url, teammate) } });
}

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgAAIAAAUAAeImvDMAAAAASUVORK5CYII=',
  'base64',
);

const HTML = '<p>See</p><img src="cid:P1" /><img data-remote="https://shop.test/a.png" />';

async function* pieces(bytes: Buffer) {
  yield bytes;
}
