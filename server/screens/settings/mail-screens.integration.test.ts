import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { storeFile } from '#server/inbox/files/store-file.ts';
import { signInAs } from '#test/clients/sign-in.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { incoming, receiveMessage } from '#test/fixtures/incoming.ts';
import { mergeAs } from '#test/fixtures/merge-as.ts';
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

describe('a deleted conversation', () => {
  test.for(['viewer', 'agent'] as const)(
    'cannot be read by an attacker who is %s',
    async (role, { service, teammates, screensOf, email }) => {
      const reads = () => readAll(service.url, { teammate: teammates[role], ...email });
      expect(await reads()).toEqual(SHOWN);
      await (await screensOf('owner')).removed.delete({ id: email.conversationId });
      expect(await reads()).toEqual(HIDDEN);
      const byAdmin = await readAll(service.url, { teammate: teammates.admin, ...email });
      expect(byAdmin).toEqual(SHOWN);
    },
  );

  test('cannot be read by an attacker who opens a conversation that was merged into it', async ({
    service,
    teammates,
    screensOf,
    conversation,
    email,
  }) => {
    const { workspaceId, owner, agent } = teammates;
    await mergeAs({ workspaceId, teammate: owner }, email.conversationId, conversation);
    await (await screensOf('owner')).removed.delete({ id: conversation });
    expect(await readAll(service.url, { teammate: agent, ...email })).toEqual(HIDDEN);
  });

  test('tells an agent neither its contact nor a reply that was not sent', async ({
    teammates,
    screensOf,
    email: { conversationId },
  }) => {
    const [owner, agent] = [await screensOf('owner'), await screensOf('agent')];
    const { workspaceId } = teammates;
    const { contactId } = await db().conversation.findUniqueOrThrow({ where: { id: conversationId } });
    await makeConversation({ workspaceId, teammate: teammates.agent }, { contactId });
    await agent.savedReplies.add({ name: 'Hi', folder: '', content: 'Hi', isPrivate: false, files: [] });
    const id = randomUUID();
    await owner.composer.reply({ conversationId, id, content: 'Secret' });
    await db().pendingReply.update({ where: { id }, data: { problem: 'Not sent.' } });
    const told = async () => [
      await agent.removed.blockChoices({ id: conversationId }),
      await agent.conversations.mergeChoices({ id: conversationId }),
      await agent.savedReplies.offer({ conversationId, query: '' }),
    ];
    for (const choices of await told()) expect(choices).not.toEqual([]);
    await owner.removed.delete({ id: conversationId });
    for (const choices of await told()) expect(choices).toEqual([]);
    await expect(agent.composer.cancelReply({ id })).rejects.toMatchObject({
      cause: { refusal: 'not_found' },
    });
  });
});

const SHOWN = { opened: true, earlier: true, fullContent: true, statuses: [200, 200, 200] };
const HIDDEN = { opened: false, earlier: false, fullContent: false, statuses: [404, 404, 404] };

/** Returns which requests show a teammate the content of a conversation with an email. */
async function readAll(
  url: string,
  input: { teammate: Teammate; conversationId: string; messageId: string },
) {
  const { teammate, conversationId: id, messageId } = input;
  const { conversations } = await (await signInTeammate(teammate))();
  const attachment = await db().attachment.findFirstOrThrow({ where: { messageId } });
  const statuses: number[] = [];
  for (const path of [`/mails/${messageId}`, `/mails/${messageId}/original`, `/attachments/${attachment.id}`])
    statuses.push((await get(url, teammate, path)).status);
  return {
    opened: (await conversations.get({ id })) !== null,
    earlier: await isFulfilled(conversations.earlier({ id, before: 'x' })),
    fullContent: await isFulfilled(conversations.fullContent({ messageId })),
    statuses,
  };
}

const isFulfilled = (read: Promise<unknown>): Promise<boolean> =>
  read.then(
    () => true,
    () => false,
  );

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
