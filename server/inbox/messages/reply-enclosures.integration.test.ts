import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { UploadedFile } from '#server/inbox/files/uploaded-file.ts';
import { cancelReply } from '#server/inbox/messages/cancel-reply.ts';
import { scheduleReply } from '#server/inbox/messages/schedule-reply.ts';
import { sendPendingReply } from '#server/inbox/messages/send-pending-reply.ts';
import { sendQueuedMessage } from '#server/inbox/messages/send-queued-message.ts';
import { signInAs } from '#test/clients/sign-in.ts';
import { makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import type { Mail } from '#test/fixtures/fixture-types.ts';
import { test as mailTest } from '#test/fixtures/mail-test.ts';
import { makeTeammates, type Teammates } from '#test/fixtures/teammates.ts';
import type { ReceivedMail } from '#test/servers/mail-server.ts';

const test = mailTest.extend('conversation', async ({ teammates: { workspaceId, agent: teammate } }) => {
  const { id: contactId } = await makeContact(workspaceId, { email: 'ada@example.com' });
  return makeConversation({ workspaceId, teammate }, { contactId });
});

describe('a reply by email', () => {
  test('has its files in their order and counts them', async ({
    service,
    mail,
    teammates,
    conversation: conversationId,
  }) => {
    const files = [
      await upload(service, teammates),
      await upload(service, teammates, { name: 'Größe.txt', type: 'text/plain', content: 'XL' }),
    ];
    const { email } = await send(mail, teammates, conversationId, { files });
    expect(
      email.attachments.map(({ filename, mimeType, disposition, content }) => [
        filename,
        mimeType,
        disposition,
        textOf(content),
      ]),
    ).toEqual([
      ['invoice.pdf', 'application/pdf', 'attachment', 'What you owe'],
      ['Größe.txt', 'text/plain', 'attachment', 'XL'],
    ]);
    const message = await db().message.findFirstOrThrow({
      where: { conversationId },
      include: { attachments: { orderBy: { id: 'asc' } } },
    });
    expect(message).toMatchObject({ attachmentsCount: 2, sendStatus: 'sent' });
    expect(message.attachments.map(({ name }) => name)).toEqual(['invoice.pdf', 'Größe.txt']);
  });

  test('is sent to Cc and Bcc, and does not show Bcc', async ({
    mail,
    teammates,
    conversation: conversationId,
  }) => {
    const { to, email, raw } = await send(mail, teammates, conversationId, {
      cc: ['Bob@example.com', 'bob@example.com '],
      bcc: ['boss@example.com', 'bob@example.com'],
    });
    expect(to).toEqual(['ada@example.com', 'bob@example.com', 'boss@example.com']);
    expect(email.cc).toMatchObject([{ address: 'bob@example.com' }]);
    expect(raw).not.toContain('boss@example.com');
  });

  test('can have files that were added days ago', async ({ service, mail, teammates, conversation }) => {
    const files = [await upload(service, teammates)];
    await db().$executeRaw`
      update stored_files set expires_at = expires_at - interval '3 days' where id = ${files[0]?.id}::uuid`;
    expect((await send(mail, teammates, conversation, { files })).email.attachments).toHaveLength(1);
  });

  test('can consist of only files', async ({ service, mail, teammates, conversation: conversationId }) => {
    const { email } = await send(mail, teammates, conversationId, {
      content: ' \n',
      files: [await upload(service, teammates)],
    });
    expect(email.attachments).toHaveLength(1);
    expect(email.text?.trim() ?? '').toBe('');
    expect(await db().message.findFirst({ where: { conversationId } })).toMatchObject({
      content: '',
      attachmentsCount: 1,
      sendStatus: 'sent',
    });
  });

  test('has the same text as plain text and HTML, with the signature of its author', async ({
    mail,
    teammates,
    conversation: conversationId,
  }) => {
    await db().member.updateMany({
      where: { userId: teammates.agent.id },
      data: { signature: 'Aggie\nAcme <Support>' },
    });
    const { email, raw } = await send(mail, teammates, conversationId);
    expect(raw).toContain('Content-Type: multipart/alternative');
    expect(email.text?.replaceAll('\r', '').trim()).toBe('Hello Ada\n\n-- \nAggie\nAcme <Support>');
    expect(email.html).toContain('Acme &lt;Support&gt;');
    // The conversation shows the text without the signature.
    expect(await db().message.findFirst({ where: { conversationId } })).toMatchObject({
      content: 'Hello Ada',
    });
  });

  test('fails if the server refuses a recipient, and names the recipient', async ({
    mail,
    teammates,
    conversation: conversationId,
  }) => {
    const refused =
      'The mail server did not accept gone@example.com. The message was sent to the other recipients.';
    mail.refuse('gone@example.com');
    await send(mail, teammates, conversationId, { cc: ['gone@example.com'] });
    expect(await db().message.findFirst({ where: { conversationId } })).toMatchObject({
      sendStatus: 'failed',
      deliveryError: refused,
    });
  });
});

describe('a reply that is undone', () => {
  test('returns its content, and its files can be sent with another reply', async ({
    service,
    mail,
    teammates,
    conversation: conversationId,
  }) => {
    const files = [await upload(service, teammates)];
    const id = await schedule(teammates, conversationId, { files, cc: ['bob@example.com'] });
    const cancelled = await cancelReply({ workspaceId: teammates.workspaceId, id, by: teammates.agent });
    expect(cancelled).toEqual({
      content: 'Hello Ada',
      answers: '',
      formatted: null,
      cc: ['bob@example.com'],
      bcc: [],
      files,
      savedReplyIds: [],
      draftVersion: null,
    });
    expect(
      (await send(mail, teammates, conversationId, { files: cancelled.files })).email.attachments,
    ).toHaveLength(1);
  });
});

test('a reply in the web chat can consist of only files', async ({
  service,
  teammates,
  conversation: conversationId,
}) => {
  await db().conversation.update({ where: { id: conversationId }, data: { channel: 'webchat' } });
  await sendPendingReply(
    await schedule(teammates, conversationId, { content: '', files: [await upload(service, teammates)] }),
  );
  expect(await db().message.findFirstOrThrow({ where: { conversationId } })).toMatchObject({
    content: '',
    attachmentsCount: 1,
    sendStatus: null,
  });
});

describe('a reply is refused', () => {
  test('without a text and without a file', async ({ teammates, conversation: conversationId }) => {
    await expect(schedule(teammates, conversationId, { content: ' \n' })).rejects.toMatchObject({
      message: 'The reply is empty.',
    });
  });

  test.for<['cc' | 'bcc', string[], string]>([
    ['cc', ['nobody'], 'Cc: “nobody” is not an email address.'],
    ['bcc', ['a@b'], 'Bcc: “a@b” is not an email address.'],
    ['cc', ['x@example.com\r\nBcc: victim@example.com'], 'is not an email address.'],
    [
      'cc',
      Array.from({ length: 21 }, (_, at) => `a${at}@example.com`),
      'A reply can have up to 20 addresses in Cc and Bcc.',
    ],
  ])('with %s %j', async ([field, addresses, sentence], { teammates, conversation: conversationId }) => {
    await expect(schedule(teammates, conversationId, { [field]: addresses })).rejects.toMatchObject({
      message: expect.stringContaining(sentence),
    });
    expect(await db().pendingReply.count({ where: { conversationId } })).toBe(0);
  });

  test('with copies on a channel other than email', async ({ teammates, conversation: conversationId }) => {
    await db().conversation.update({ where: { id: conversationId }, data: { channel: 'telegram' } });
    await expect(schedule(teammates, conversationId, { cc: ['bob@example.com'] })).rejects.toThrow(
      'Only emails can have copies (Cc and Bcc).',
    );
  });

  test('for an attacker’s file of another workspace, expired file or file with changed fields', async ({
    service,
    teammates,
    conversation: conversationId,
  }) => {
    const file = await upload(service, teammates);
    const foreign = await upload(service, await makeTeammates());
    for (const wrong of [
      foreign,
      { ...file, contentType: 'text/html' },
      { ...file, name: 'evil.exe' },
      { ...file, sizeBytes: 1 },
      { ...file, id: randomUUID() },
    ]) {
      await expect(schedule(teammates, conversationId, { files: [wrong] })).rejects.toThrow(
        'Remove it and add it again.',
      );
    }
    await db().storedFile.update({ where: { id: file.id }, data: { expiresAt: new Date(0) } });
    await expect(schedule(teammates, conversationId, { files: [file] })).rejects.toThrow(
      'Remove it and add it again.',
    );
    expect(await db().pendingReply.count({ where: { conversationId } })).toBe(0);
  });
});

describe('a file cannot be added', () => {
  test('by a viewer, to another workspace, from another site, empty, or too large', async ({
    service,
    teammates,
  }) => {
    expect(await post(service, teammates, {}, { by: 'viewer' })).toMatchObject({ status: 403 });
    expect(await post(service, teammates, {}, { workspaceId: randomUUID() })).toMatchObject({ status: 403 });
    expect(await post(service, teammates, {}, { origin: 'https://evil.test' })).toMatchObject({
      status: 403,
    });
    expect(await post(service, teammates, { content: '' })).toMatchObject({ status: 422 });
    expect(await post(service, teammates, { content: new Uint8Array(10 * 1024 * 1024 + 1) })).toMatchObject({
      status: 413,
      body: { message: 'A file can be up to 10 MB.' },
    });
    const where = { workspaceId: teammates.workspaceId, expiresAt: { gt: new Date() } };
    expect(await db().storedFile.count({ where })).toBe(0);
  });

  test('by an anonymous caller', async ({ service }) => {
    const response = await fetch(`${service.url}/attachments/`, { method: 'POST', body: new FormData() });
    expect(response.status).toBe(401);
  });
});

type By = 'owner' | 'admin' | 'agent' | 'viewer';

async function post(
  service: { url: string },
  teammates: Teammates,
  file: { name?: string; type?: string; content?: string | Uint8Array<ArrayBuffer> } = {},
  {
    by = 'agent',
    workspaceId = teammates.workspaceId,
    origin,
  }: { by?: By; workspaceId?: string; origin?: string } = {},
) {
  const form = new FormData();
  const { name = 'invoice.pdf', type = 'application/pdf', content = 'What you owe' } = file;
  form.append('file', new Blob([content], { type }), name);
  const headers = { cookie: await signInAs(service.url, teammates[by]), 'x-workspace-id': workspaceId };
  const response = await fetch(`${service.url}/attachments/`, {
    method: 'POST',
    headers: { ...headers, ...(origin ? { origin } : {}) },
    body: form,
  });
  return { status: response.status, body: await response.json() };
}

const upload = async (...input: Parameters<typeof post>): Promise<UploadedFile> => {
  const { status, body } = await post(...input);
  expect(status).toBe(201);
  return body;
};

type Fields = Partial<Parameters<typeof scheduleReply>[0]>;

async function schedule(teammates: Teammates, conversationId: string, fields: Fields = {}): Promise<string> {
  const id = randomUUID();
  const { workspaceId, agent } = teammates;
  await scheduleReply({ workspaceId, conversationId, id, author: agent, content: 'Hello Ada', ...fields });
  return id;
}

async function send(
  mail: Mail,
  teammates: Teammates,
  conversationId: string,
  fields: Fields = {},
): Promise<ReceivedMail> {
  await sendPendingReply(await schedule(teammates, conversationId, fields));
  const { id } = await db().message.findFirstOrThrow({ where: { conversationId, sendStatus: 'queued' } });
  await sendQueuedMessage(id);
  const received = mail.received.at(-1);
  if (!received) throw new Error('No mail left.');
  return received;
}

const textOf = (content: ArrayBuffer | Uint8Array | string) =>
  typeof content === 'string' ? content : Buffer.from(new Uint8Array(content)).toString();
