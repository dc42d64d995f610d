import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { signUploaded } from '#server/inbox/files/uploaded-file.ts';
import { listMessages } from '#server/inbox/messages/list-messages.ts';
import { sendPendingReply } from '#server/inbox/messages/send-pending-reply.ts';
import { sendQueuedMessage } from '#server/inbox/messages/send-queued-message.ts';
import { makeChatWriter } from '#test/clients/chat-client.ts';
import { makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { refuseMail, resend } from '#test/fixtures/failed-replies-test.ts';
import { makePictured } from '#test/fixtures/formatted.ts';
import { test as mailTest } from '#test/fixtures/mail-test.ts';
import { forgetJobs } from '#test/fixtures/queued-jobs.ts';
import { PICTURE_BYTES, storeBytes, uploadPicture } from '#test/fixtures/stored-files.ts';
import { makeTeammates, signInTeammate } from '#test/fixtures/teammates.ts';

/** The agent's screens, a conversation by email, its uploaded picture, and functions for replies that show it. */
const test = mailTest
  .extend('agent', async ({ teammates }) => (await signInTeammate(teammates.agent))())
  .extend('conversation', async ({ teammates: { workspaceId, agent: teammate } }) => {
    const { id: contactId } = await makeContact(workspaceId, { email: 'ada@example.com' });
    return makeConversation({ workspaceId, teammate }, { contactId });
  })
  .extend('picture', ({ teammates }) => uploadPicture(teammates.workspaceId))
  .extend('reply', ({ agent, conversation, picture }) => {
    type Fields = Partial<Parameters<typeof agent.composer.reply>[0]>;
    const schedule = async (fields: Fields = {}): Promise<string> => {
      const id = randomUUID();
      const shown = { formatted: makePictured(picture), files: [picture] };
      await agent.composer.reply({ conversationId: conversation, id, content: '', ...shown, ...fields });
      return id;
    };
    const send = async (id: string) => {
      await sendPendingReply(id);
      await sendQueuedMessage(id);
      return id;
    };
    return { schedule, send };
  });

test.beforeEach(async ({ service: _ }) => forgetJobs());

const PLAIN = 'See [cat.gif]';
const textOf = (content: ArrayBuffer | Uint8Array | string) =>
  typeof content === 'string' ? content : Buffer.from(new Uint8Array(content)).toString('latin1');

describe('a reply by email that shows a picture', () => {
  test('arrives with the picture as a related part, and its other files as attachments', async ({
    mail,
    picture,
    reply,
    teammates,
  }) => {
    const other = await uploadPicture(teammates.workspaceId, 'note.gif');
    await reply.send(await reply.schedule({ files: [picture, other] }));
    const [received] = mail.received;
    expect(received?.raw).toContain('Content-Type: multipart/related');
    expect(received?.email.text?.trim()).toBe(PLAIN);
    expect(received?.email.html).toContain(`<img src="cid:${picture.id}" alt="cat.gif"`);
    expect(
      received?.email.attachments.map(({ filename, disposition, contentId, content }) => ({
        filename,
        disposition,
        contentId,
        content: textOf(content),
      })),
    ).toEqual([
      {
        filename: 'cat.gif',
        disposition: 'inline',
        contentId: `<${picture.id}>`,
        content: PICTURE_BYTES,
      },
      expect.objectContaining({ filename: 'note.gif', disposition: 'attachment' }),
    ]);
  });

  test('is listed with the picture apart from its attachments', async ({
    agent,
    conversation: conversationId,
    picture,
    reply,
    teammates: { workspaceId },
  }) => {
    const formatted = makePictured(picture);
    const waiting = await reply.schedule();
    const scheduled = (await agent.conversations.get({ id: conversationId }))?.composer.pending;
    expect(scheduled).toMatchObject([
      { id: waiting, content: PLAIN, formatted, pictures: [picture], fileNames: [] },
    ]);
    const id = await reply.send(waiting);
    const view = await agent.conversations.get({ id: conversationId });
    expect(view?.conversation.items.find((item) => item.id === id)).toMatchObject({
      content: PLAIN,
      formatted,
      pictures: [{ fileId: picture.id, id: picture.id }],
      attachments: [],
      filesElsewhere: 0,
    });
    const message = await db().message.findUniqueOrThrow({ where: { id }, include: { attachments: true } });
    expect(message).toMatchObject({
      attachmentsCount: 0,
      attachments: [{ inline: true, contentId: picture.id }],
    });
    const listed = await listMessages(sql(), { workspaceId, conversationId }, { limit: 5, after: null });
    expect(listed.map(({ item }) => item)).toMatchObject([
      { content: PLAIN, attachments: [{ name: 'cat.gif', is_inline: true }] },
    ]);
  });

  test('keeps the picture when it is undone, and when it is sent again after a failure', async ({
    agent,
    conversation,
    mail,
    picture,
    reply,
    teammates,
  }) => {
    const undone = await agent.composer.cancelReply({ id: await reply.schedule() });
    expect(undone).toMatchObject({ formatted: makePictured(picture), files: [picture] });
    refuseMail(mail);
    const id = await reply.send(await reply.schedule());
    mail.respond();
    mail.received.length = 0;
    await resend(teammates, conversation, id);
    await sendQueuedMessage(id);
    expect(mail.received.map(({ email }) => email.attachments)).toMatchObject([
      [{ disposition: 'inline', contentId: `<${picture.id}>` }],
    ]);
  });

  test('has the name of the picture if data retention erased it before it was sent again', async ({
    conversation,
    mail,
    reply,
    teammates,
  }) => {
    refuseMail(mail);
    const id = await reply.send(await reply.schedule());
    await db().attachment.deleteMany({ where: { messageId: id } });
    mail.respond();
    mail.received.length = 0;
    await resend(teammates, conversation, id);
    await sendQueuedMessage(id);
    const [received] = mail.received;
    expect(received?.email.html).toContain(PLAIN);
    expect(received?.email.html).not.toContain('cid:');
  });

  test('shows a picture of a saved reply, which other replies show too', async ({
    agent,
    conversation,
    picture,
    reply,
  }) => {
    await db().$executeRaw`
      update stored_files set owners = 1, expires_at = null, kept_until = now() + interval '1 day' where id = ${picture.id}::uuid`;
    const id = await reply.send(await reply.schedule());
    const [attachment] = await db().attachment.findMany({ where: { messageId: id } });
    const view = await agent.conversations.get({ id: conversation });
    expect(attachment?.id).not.toBe(picture.id);
    expect(view?.conversation.items.find((item) => item.id === id)).toMatchObject({
      pictures: [{ fileId: picture.id, id: attachment?.id }],
      attachments: [],
    });
  });

  test('has the name of a picture that is not among its files, of another workspace, or of a type that is not shown', async ({
    conversation: conversationId,
    picture,
    reply,
    teammates: { workspaceId },
  }) => {
    const foreign = await uploadPicture((await makeTeammates()).workspaceId);
    const photo = { name: 'cat.gif', contentType: 'image/heic' };
    const heic = signUploaded(workspaceId, await storeBytes(workspaceId, photo));
    await reply.schedule({ files: [] });
    await reply.schedule({ formatted: makePictured(foreign) });
    await reply.schedule({ formatted: makePictured(heic), files: [picture, heic] });
    const named = { content: PLAIN, formatted: null };
    expect(await db().pendingReply.findMany({ where: { conversationId } })).toMatchObject([
      named,
      named,
      named,
    ]);
  });
});

test('a reply on a channel without formatting has the picture as a file', async ({ reply, teammates }) => {
  const { workspaceId, owner: teammate } = teammates;
  const conversationId = await makeConversation({ workspaceId, teammate }, { channel: 'whatsapp' });
  const id = await reply.schedule({ conversationId });
  await sendPendingReply(id);
  expect(
    await db().message.findUniqueOrThrow({ where: { id }, include: { attachments: true } }),
  ).toMatchObject({
    content: PLAIN,
    formatted: null,
    attachmentsCount: 1,
    attachments: [{ inline: false, contentId: null }],
  });
});

test('a reply in the web chat shows the picture', async ({ picture, reply, service, teammates }) => {
  const { id: conversationId, request, see } = await makeChatWriter(service.url, teammates.workspaceId);
  await reply.send(await reply.schedule({ conversationId }));
  expect((await see()).messages).toMatchObject([
    { pictures: [] },
    {
      content: PLAIN,
      formatted: makePictured(picture),
      pictures: [{ fileId: picture.id, id: picture.id }],
      attachments: [],
    },
  ]);
  expect(await request('GET', `attachments/${picture.id}`)).toMatchObject({
    status: 200,
    body: PICTURE_BYTES,
  });
});

describe('a draft that shows a picture', () => {
  const EMPTY = { content: '', answers: null, copies: null, savedReplyIds: [] };

  test('returns it while the file exists, and then its name', async ({
    agent,
    conversation: conversationId,
    picture,
  }) => {
    const formatted = makePictured(picture);
    await agent.composer.saveDraft({ ...EMPTY, conversationId, version: 0, formatted, files: [picture] });
    const draft = async () => (await agent.conversations.get({ id: conversationId }))?.composer.draft;
    expect(await draft()).toMatchObject({ content: PLAIN, formatted, files: [picture] });
    await db()
      .$executeRaw`update stored_files set expires_at = now() - interval '1 day' where id = ${picture.id}::uuid`;
    const named = {
      type: 'doc',
      content: [
        {
          type: 'paragraph',
          content: [
            { type: 'text', text: 'See ' },
            { type: 'text', text: '[cat.gif]' },
          ],
        },
      ],
    };
    expect(await draft()).toMatchObject({ content: PLAIN, formatted: named, files: [] });
  });

  test('stores the name of a picture that is not among its files', async ({
    agent,
    conversation: conversationId,
    picture,
  }) => {
    await agent.composer.saveDraft({
      ...EMPTY,
      conversationId,
      version: 0,
      formatted: makePictured(picture),
      files: [],
    });
    const stored = await db().replyDraft.findUniqueOrThrow({ where: { conversationId } });
    expect(JSON.stringify(stored.formatted)).toContain('[cat.gif]');
    expect(JSON.stringify(stored.formatted)).not.toContain(picture.id);
  });
});
