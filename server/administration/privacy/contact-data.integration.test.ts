import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { exportContact } from '#server/administration/privacy/contact-data.ts';
import { db } from '#server/core/database/prisma.ts';
import { readZip } from '#test/clients/read-zip.ts';
import { storeFieldValues } from '#test/fixtures/field-rows.ts';
import { test as mailTest } from '#test/fixtures/received-mail-test.ts';
import { storeBytes } from '#test/fixtures/stored-files.ts';
import { addTeammate, makeTeammates, sessionCookie } from '#test/fixtures/teammates.ts';
import { rawMail } from '#test/servers/inbound-mail.ts';

const test = mailTest
  .extend('ada', async ({ inbox }) => {
    const { conversationId, conversation } = await inbox.first();
    const { contactId } = conversation;
    if (contactId === null) throw new Error('The mail has no contact.');
    return { conversationId, contactId };
  })
  .extend('download', ({ service, teammates }) => {
    return async (contactId: string, { by = teammates.owner, site = 'same-origin' } = {}) => {
      const headers = { cookie: await sessionCookie(by.id), 'sec-fetch-site': site };
      return fetch(`${service.url}/contact-data/${contactId}`, { headers });
    };
  });

describe('the data of a contact as a file', () => {
  test('has their details, messages, notes, unsent replies, files and original mails', async ({
    teammates: { workspaceId, owner },
    ada,
    inbox,
    download,
  }) => {
    const { conversationId, contactId } = ada;
    const reply = await inbox.reply(conversationId);
    const { id: fileId } = await storeBytes(workspaceId, { content: 'An invoice' });
    const file = { id: fileId, fileId, name: 'invoice.txt', contentType: 'text/plain', sizeBytes: 10 };
    await db().attachment.create({ data: { ...file, workspaceId, messageId: reply.id } });
    const { id: pictureId } = await storeBytes(workspaceId, { content: 'A picture' });
    const picture = { ...file, id: pictureId, fileId: pictureId, name: 'tea.txt', position: 0, workspaceId };
    await db().note.create({
      data: {
        workspaceId,
        conversationId,
        authorKind: 'teammate',
        authorName: 'Ben',
        content: 'Likes tea',
        files: { create: picture },
        versions: { create: { number: 0, content: 'Likes coffee', writtenAt: new Date() } },
      },
    });
    const own = { workspaceId, conversationId };
    const draftFile = await storeBytes(workspaceId, { name: 'offer.txt', content: 'An offer' });
    const expired = { ...draftFile, id: crypto.randomUUID(), name: 'expired.txt' };
    await db().replyDraft.create({
      data: {
        ...own,
        version: 1,
        isEmpty: false,
        content: 'A draft',
        authorId: owner.id,
        attachments: [draftFile, expired],
      },
    });
    await db().pendingReply.create({
      data: { ...own, authorId: owner.id, content: 'Tomorrow', sendAt: new Date() },
    });
    await db().suggestedReply.create({
      data: { ...own, id: reply.id, tokenId: reply.id, programName: 'Bot', content: 'Maybe', reason: 'Tea' },
    });
    await storeFieldValues({ workspaceId, subject: 'contact', ownerId: contactId }, 'C-1');
    await storeFieldValues({ workspaceId, subject: 'conversation', ownerId: conversationId }, 'A-1');
    const response = await download(contactId);
    expect(response.headers.get('content-disposition')).toContain('filename="Ada Lovelace.zip"');
    const files = readZip(Buffer.from(await response.arrayBuffer()));
    const folder = `conversations/${conversationId}`;
    const json = (path: string) => JSON.parse(files.get(path)?.toString() ?? '');
    expect(json('contact.json')).toMatchObject({ id: contactId, email: 'ada@acme.test' });
    expect(Object.values(json('contact.json').custom_fields).toSorted()).toEqual(['C-1', 'Pro']);
    const { custom_fields: ownFields, ...facts } = json(`${folder}/conversation.json`);
    expect(facts).toMatchObject({ subject: 'A question' });
    expect(Object.values(ownFields).toSorted()).toEqual(['A-1', 'Pro']);
    const [note] = json(`${folder}/notes.json`);
    expect(note).toMatchObject({
      author: 'Ben',
      content: 'Likes tea',
      earlier_texts: [{ content: 'Likes coffee' }],
    });
    expect(files.get(note.files[0].path)?.toString()).toBe('A picture');
    const [question, answer] = json(`${folder}/messages.json`);
    expect(files.get(question.original)?.toString()).toContain('From: Ada Lovelace <ada@acme.test>');
    expect(files.get(answer.files[0].path)?.toString()).toBe('An invoice');
    const unsent = json(`${folder}/unsent-replies.json`);
    expect(unsent).toMatchObject([
      { kind: 'draft', author: owner.name, content: 'A draft' },
      { kind: 'waiting', author: owner.name, content: 'Tomorrow' },
      { kind: 'suggested', author: 'Bot', content: 'Maybe', reason: 'Tea' },
    ]);
    expect(unsent[0].files).toMatchObject([{ name: 'offer.txt' }, { name: 'expired.txt', path: null }]);
    expect(files.get(unsent[0].files[0].path)?.toString()).toBe('An offer');
    expect([...files.keys()].every((path) => path === 'contact.json' || path.startsWith(folder))).toBe(true);
    const entry = await db().auditEntry.findFirst({ where: { workspaceId, kind: 'contact_exported' } });
    expect(entry).toMatchObject({ userId: owner.id, data: { contactId, contactName: 'Ada Lovelace' } });
  });

  test('has more messages than are read at once, each once, and what was written in conversations of others', async ({
    teammates: { workspaceId },
    ada: { conversationId, contactId },
    download,
  }) => {
    const others = await db().conversation.create({ data: { workspaceId, channel: 'email' } });
    const message = { workspaceId, direction: 'inbound', authorKind: 'contact' } as const;
    await db().message.createMany({
      data: [
        ...Array.from({ length: 120 }, (_, n) => ({ ...message, conversationId, content: `More ${n}` })),
        { ...message, conversationId: others.id, authorAddress: 'ada@acme.test', content: 'In copy' },
        { ...message, conversationId: others.id, authorAddress: 'bob@acme.test', content: 'Not hers' },
      ],
    });
    const files = readZip(Buffer.from(await (await download(contactId)).arrayBuffer()));
    const contents = (path: string) =>
      JSON.parse(files.get(path)?.toString() ?? '').map(({ content }: { content: string }) => content);
    expect(new Set(contents(`conversations/${conversationId}/messages.json`)).size).toBe(121);
    expect(contents(`conversations/${conversationId}/messages.json`)).toHaveLength(121);
    expect(contents('in-other-conversations/messages.json')).toEqual(['In copy']);
  });

  test('has everything after a message that is deleted while it is read', async ({
    teammates: { workspaceId, owner },
    ada: { conversationId, contactId },
  }) => {
    const message = { workspaceId, conversationId, direction: 'inbound', authorKind: 'contact' } as const;
    await db().message.createMany({
      // Too long to be buffered before the first ones are read.
      data: Array.from({ length: 60 }, () => ({ ...message, content: randomBytes(30_000).toString('hex') })),
    });
    const { archive } = await exportContact({ workspaceId, contactId, by: owner });
    const bytes: Buffer[] = [];
    let read = 0;
    for await (const piece of archive) {
      bytes.push(piece);
      const before = read;
      read += piece.length;
      // The first page is being sent, and the second one was not read yet.
      if (before >= 100_000 || read < 100_000) continue;
      const [last] = await db().message.findMany({
        where: message,
        orderBy: { id: 'asc' },
        skip: 49,
        take: 1,
      });
      await db().message.delete({ where: { id: last?.id ?? '' } });
    }
    const messages = readZip(Buffer.concat(bytes)).get(`conversations/${conversationId}/messages.json`);
    expect(JSON.parse(messages?.toString() ?? '')).toHaveLength(61);
  });

  test('ends with an error, not as if complete, when a file cannot be read', async ({
    teammates: { workspaceId },
    ada: { contactId },
    inbox,
    download,
  }) => {
    await inbox.bring(rawMail({ Subject: 'Another one' }));
    await db().fileChunk.deleteMany({ where: { file: { workspaceId } } });
    const read = download(contactId).then((response) => response.arrayBuffer());
    await expect(read.then((bytes) => readZip(Buffer.from(bytes)))).rejects.toThrow();
  });

  test('an agent, a viewer, a removed admin, another workspace and another site cannot get it', async ({
    teammates,
    ada: { contactId },
    download,
  }) => {
    const { workspaceId, agent, viewer, owner } = teammates;
    const former = await addTeammate(workspaceId, 'admin');
    await db().member.delete({ where: { workspaceId_userId: { workspaceId, userId: former.id } } });
    const stranger = await makeTeammates();
    const statuses = [agent, viewer, former, stranger.owner].map(
      async (by) => (await download(contactId, { by })).status,
    );
    expect(await Promise.all(statuses)).toEqual([403, 403, 403, 404]);
    expect((await download(contactId, { site: 'cross-site' })).status).toBe(403);
    expect((await download("1' or true")).status).toBe(404);
    // The role is checked in the transaction, not only in the session.
    await expect(exportContact({ workspaceId, contactId, by: former })).rejects.toThrow('Only owners');
    await expect(exportContact({ workspaceId, contactId: workspaceId, by: owner })).rejects.toThrow(
      'not found',
    );
    expect(await db().auditEntry.count({ where: { workspaceId, kind: 'contact_exported' } })).toBe(0);
  });
});
