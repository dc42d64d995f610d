import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { deleteAccount } from '#server/administration/accounts/delete-account.ts';
import { db } from '#server/core/database/prisma.ts';
import { signUploaded } from '#server/inbox/files/uploaded-file.ts';
import { PASSWORD } from '#test/clients/sign-in.ts';
import { changeDraft, draftOf, isMarked, test } from '#test/fixtures/shared-drafts.ts';
import { storeBytes } from '#test/fixtures/stored-files.ts';

describe('a cancelled reply that returns to the draft', () => {
  test('is in it although nobody got the response, with its files, recipients and formatting', async ({
    agent,
    owner,
    conversation,
    teammates: { workspaceId, agent: author },
  }) => {
    const files = [signUploaded(workspaceId, await storeBytes(workspaceId))];
    const id = randomUUID();
    const formatted = {
      type: 'doc' as const,
      content: [{ type: 'codeBlock' as const, content: [text('x')] }],
    };
    const cc = ['carol@example.com'];
    await agent.composer.reply({ conversationId: conversation, id, content: '', formatted, files, cc });
    const { draftVersion } = await agent.composer.cancelReply({ id, toDraft: true });
    expect(draftVersion).toBe(1);
    expect(await draftOf(owner, conversation)).toMatchObject({
      version: 1,
      content: 'x',
      formatted,
      files,
      copies: { cc, bcc: [] },
      author: { id: author.id },
    });
    expect(await isMarked(owner, conversation)).toBe(true);
  });

  test('is above what a teammate has written since, with the files and recipients of both', async ({
    agent,
    owner,
    conversation,
    teammates: { workspaceId },
  }) => {
    const file = async () => signUploaded(workspaceId, await storeBytes(workspaceId));
    const [one, two] = [await file(), await file()];
    const id = randomUUID();
    await agent.composer.reply({
      conversationId: conversation,
      id,
      content: 'Undone',
      files: [one],
      cc: ['carol@example.com'],
    });
    const copies = { cc: ['dan@example.com'], bcc: ['carol@example.com'] };
    await changeDraft(owner, conversation, 0, { content: 'Since', files: [two], copies });
    expect(await agent.composer.cancelReply({ id, toDraft: true })).toMatchObject({
      content: 'Undone',
      draftVersion: 2,
    });
    expect(await draftOf(owner, conversation)).toMatchObject({
      content: 'Undone\n\nSince',
      files: [one, two],
      copies: { cc: ['carol@example.com', 'dan@example.com'], bcc: ['carol@example.com'] },
    });
  });

  test('loses nothing that teammates store at the same time', async ({ agent, owner, conversation }) => {
    const ids = Array.from({ length: 5 }, () => randomUUID());
    for (const id of ids) await agent.composer.reply({ conversationId: conversation, id, content: id });
    const cancelled = ids.map((id) => agent.composer.cancelReply({ id, toDraft: true }));
    const stored = changeDraft(owner, conversation, 0, { content: 'Mine' });
    const versions = (await Promise.all(cancelled)).map(({ draftVersion }) => draftVersion);
    expect(new Set(versions).size).toBe(5);
    const { newer } = await stored;
    const content = (await draftOf(owner, conversation))?.content.split('\n\n') ?? [];
    expect(content.toSorted()).toEqual([...ids, ...(newer ? [] : ['Mine'])].toSorted());
  });

  test('only returns its content in a conversation where nothing can be written', async ({
    agent,
    conversation,
    teammates: { workspaceId },
  }) => {
    const id = randomUUID();
    await agent.composer.reply({ conversationId: conversation, id, content: 'Undone' });
    await db().conversation.updateMany({
      where: { workspaceId, id: conversation },
      data: { removal: 'spam', removedAt: new Date() },
    });
    expect(await agent.composer.cancelReply({ id, toDraft: true })).toMatchObject({
      content: 'Undone',
      draftVersion: null,
    });
  });
});

test('an unsent reply of a deleted account is a note, with its formatting and the files that still exist', async ({
  agent,
  owner,
  conversation,
  teammates: { workspaceId, agent: user },
}) => {
  const [kept, gone] = [await storeBytes(workspaceId), await storeBytes(workspaceId)];
  const formatted = { type: 'doc' as const, content: [{ type: 'codeBlock' as const, content: [text('x')] }] };
  const reply = { conversationId: conversation, content: '', formatted };
  const files = [kept, gone].map((file) => signUploaded(workspaceId, file));
  await agent.composer.reply({ ...reply, id: randomUUID(), files });
  await db().storedFile.update({ where: { id: gone.id }, data: { expiresAt: new Date(0) } });
  await deleteAccount({ user, sessionId: user.id, password: PASSWORD });
  const [note] = await db().note.findMany({
    where: { conversationId: conversation },
    include: { files: true },
  });
  const heading = `The account of ${user.name} was deleted before this reply was sent:`;
  expect(note).toMatchObject({
    content: `${heading}\n\nx`,
    authorKind: 'automatic',
    files: [{ fileId: kept.id, name: kept.name }],
  });
  expect(note?.formatted).toMatchObject({ content: [{ type: 'paragraph' }, {}, { type: 'codeBlock' }] });
  expect((await owner.conversations.get({ id: conversation }))?.composer.pending).toEqual([]);
});

function text(content: string) {
  return { type: 'text' as const, text: content };
}
