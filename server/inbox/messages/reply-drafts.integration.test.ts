import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { signUploaded } from '#server/inbox/files/uploaded-file.ts';
import { removeEmptyDrafts } from '#server/inbox/messages/reply-drafts.ts';
import { sendPendingReply } from '#server/inbox/messages/send-pending-reply.ts';
import type { screensFor } from '#server/screens/router.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { mergeAs } from '#test/fixtures/merge-as.ts';
import { publishedTopics } from '#test/fixtures/published-topics.ts';
import { changeDraft, draftOf, isMarked, test } from '#test/fixtures/shared-drafts.ts';
import { storeBytes } from '#test/fixtures/stored-files.ts';

type Screens = Awaited<ReturnType<typeof screensFor>>;

describe('a draft', () => {
  test('is read by the other teammates with its author, recipients and files, and marks its row', async ({
    agent,
    owner,
    conversation,
    teammates: { workspaceId, agent: author },
  }) => {
    const file = signUploaded(workspaceId, await storeBytes(workspaceId));
    const written = {
      content: 'Hello Ada,\n',
      answers: 'bob@example.com',
      copies: { cc: ['carol@example.com'], bcc: ['half-typed'] },
      files: [file],
      savedReplyIds: [randomUUID()],
    };
    expect(await isMarked(owner, conversation)).toBe(false);
    const first = await publishedTopics(workspaceId, () => changeDraft(agent, conversation, 0, written));
    expect(first).toEqual(['conversations']);
    expect(await draftOf(owner, conversation)).toEqual({
      ...written,
      formatted: null,
      version: 1,
      author: { id: author.id, name: author.name },
      updatedAt: expect.any(Date),
    });
    expect(await isMarked(owner, conversation)).toBe(true);
    // Only pages that have the conversation open learn of more text.
    const later = await publishedTopics(workspaceId, () =>
      changeDraft(owner, conversation, 1, { ...written, content: 'Hello Ada' }),
    );
    expect(later).toEqual([]);
    expect(await draftOf(agent, conversation)).toMatchObject({ content: 'Hello Ada', version: 2 });
  });

  test('of two teammates who begin at the same time is that of one, and the other one gets it', async ({
    agent,
    owner,
    conversation,
  }) => {
    const texts = ['From Aggie', 'From Olivia'];
    const saved = await Promise.all(
      [agent, owner].map((screens, at) =>
        changeDraft(screens, conversation, 0, { content: texts[at] ?? '' }),
      ),
    );
    const [winner, loser] = saved[0]?.newer ? [saved[1], saved[0]] : saved;
    expect(winner).toEqual({ version: 1, newer: null });
    expect(loser?.newer).toMatchObject({ version: 1, content: texts[saved.indexOf(winner ?? loser)] });
    expect(await draftOf(agent, conversation)).toMatchObject({ version: 1, content: loser?.newer?.content });
  });

  test('is not replaced by a teammate who has not seen its last change, and the same change is stored once', async ({
    agent,
    owner,
    conversation,
  }) => {
    await changeDraft(agent, conversation, 0, { content: 'One' });
    await changeDraft(owner, conversation, 1, { content: 'Two' });
    const late = await changeDraft(agent, conversation, 1, { content: 'Three' });
    expect(late).toMatchObject({ version: 1, newer: { version: 2, content: 'Two' } });
    // The response to a stored change was lost.
    const again = await changeDraft(owner, conversation, 1, { content: 'Two' });
    expect(again).toMatchObject({ newer: { version: 2, content: 'Two' } });
    expect(await draftOf(agent, conversation)).toMatchObject({ version: 2, content: 'Two' });
  });

  test('that is cleared unmarks its row, and its version still counts', async ({
    agent,
    owner,
    conversation,
    workspaceId,
  }) => {
    await changeDraft(agent, conversation, 0, { content: 'One' });
    const topics = await publishedTopics(workspaceId, () =>
      changeDraft(agent, conversation, 1, { content: ' \n', answers: 'bob@example.com' }),
    );
    expect(topics).toEqual(['conversations']);
    expect(await isMarked(agent, conversation)).toBe(false);
    expect(await draftOf(agent, conversation)).toMatchObject({ version: 2, content: '', answers: null });
    const late = await changeDraft(owner, conversation, 1, { content: 'Two' });
    expect(late.newer).toMatchObject({ version: 2, content: '' });
    expect(await changeDraft(owner, conversation, 2, { content: 'Two' })).toEqual({
      version: 3,
      newer: null,
    });
  });

  test('that has been empty for 30 days is removed, and another one is not', async ({
    agent,
    conversation,
    teammates: { workspaceId, owner: teammate },
  }) => {
    const other = await makeConversation({ workspaceId, teammate });
    await changeDraft(agent, conversation, 0, { content: 'One' });
    await changeDraft(agent, conversation, 1, { content: '' });
    await changeDraft(agent, other, 0, { content: 'Nobody touched it' });
    expect(await removeEmptyDrafts()).toBe(0);
    const updatedAt = new Date(Date.now() - 31 * 86_400_000);
    await db().replyDraft.updateMany({ where: { workspaceId }, data: { updatedAt } });
    expect(await removeEmptyDrafts()).toBe(1);
    expect(await draftOf(agent, conversation)).toBeNull();
    expect(await draftOf(agent, other)).toMatchObject({ content: 'Nobody touched it' });
    // A page that was open all the time.
    expect(await changeDraft(agent, conversation, 2, { content: 'Three' })).toEqual({
      version: 3,
      newer: null,
    });
  });

  test('keeps the files that still exist, for 30 days after its last change', async ({
    agent,
    conversation,
    workspaceId,
  }) => {
    const [file, lost] = await Promise.all([storeBytes(workspaceId), storeBytes(workspaceId)]);
    const files = [file, lost].map((each) => signUploaded(workspaceId, each));
    await db().storedFile.update({ where: { id: lost.id }, data: { expiresAt: new Date(0) } });
    await changeDraft(agent, conversation, 0, { files });
    expect((await draftOf(agent, conversation))?.files).toEqual([files[0]]);
    const { expiresAt } = await db().storedFile.findUniqueOrThrow({ where: { id: file.id } });
    expect(Number(expiresAt)).toBeGreaterThan(Date.now() + 29 * 86_400_000);
    await db().storedFile.update({ where: { id: file.id }, data: { expiresAt: new Date(0) } });
    expect((await draftOf(agent, conversation))?.files).toEqual([]);
  });

  test('of a deleted account stays, without its name', async ({ agent, owner, conversation, teammates }) => {
    await changeDraft(agent, conversation, 0, { content: 'One' });
    await db().user.delete({ where: { id: teammates.agent.id } });
    expect(await draftOf(owner, conversation)).toMatchObject({ content: 'One', author: null });
  });
});

describe('sending a draft', () => {
  const send = (screens: Screens, conversationId: string, draftVersion?: number) => {
    const id = randomUUID();
    return screens.composer.reply({ conversationId, id, content: 'Done', draftVersion }).then(() => id);
  };

  test('empties it with the same commit, and undoing returns its text', async ({
    agent,
    owner,
    conversation,
  }) => {
    await changeDraft(agent, conversation, 0, { content: 'Done' });
    const id = await send(owner, conversation, 1);
    expect(await draftOf(agent, conversation)).toMatchObject({ version: 2, content: '' });
    expect(await isMarked(agent, conversation)).toBe(false);
    const late = await changeDraft(agent, conversation, 1, { content: 'Done, too' });
    expect(late.newer).toMatchObject({ version: 2, content: '' });
    expect(await owner.composer.cancelReply({ id })).toMatchObject({ content: 'Done' });
    expect(await draftOf(agent, conversation)).toMatchObject({ version: 2, content: '' });
  });

  test('empties it also if another page of its author stored the text, but not one of a teammate or with another file', async ({
    agent,
    owner,
    conversation,
    teammates: { workspaceId },
  }) => {
    await changeDraft(agent, conversation, 0, { content: 'Half' });
    await changeDraft(agent, conversation, 1, { content: 'Done' });
    await send(agent, conversation, 1);
    expect(await draftOf(agent, conversation)).toMatchObject({ version: 3, content: '' });
    await changeDraft(owner, conversation, 3, { content: 'Done' });
    await send(agent, conversation, 3);
    expect(await draftOf(agent, conversation)).toMatchObject({ version: 4, content: 'Done' });
    const files = [signUploaded(workspaceId, await storeBytes(workspaceId))];
    await changeDraft(agent, conversation, 4, { content: 'Done', files });
    await send(agent, conversation, 3);
    expect(await draftOf(agent, conversation)).toMatchObject({ version: 5, content: 'Done' });
  });

  test('keeps what a teammate has written into it in the meantime', async ({
    agent,
    owner,
    conversation,
  }) => {
    await changeDraft(agent, conversation, 0, { content: 'Done' });
    await changeDraft(owner, conversation, 1, { content: 'Done, and one more thing' });
    const id = await send(agent, conversation, 1);
    await sendPendingReply(id);
    expect(await draftOf(agent, conversation)).toMatchObject({
      version: 2,
      content: 'Done, and one more thing',
    });
  });

  test('keeps it when the reply is refused, is repeated, or is another text', async ({
    agent,
    conversation,
  }) => {
    await changeDraft(agent, conversation, 0, { content: 'Done' });
    const id = randomUUID();
    const reply = { conversationId: conversation, id, content: 'Done', draftVersion: 1 };
    await expect(agent.composer.reply({ ...reply, content: '' })).rejects.toThrow('empty');
    expect(await draftOf(agent, conversation)).toMatchObject({ version: 1, content: 'Done' });
    await send(agent, conversation);
    expect(await draftOf(agent, conversation)).toMatchObject({ version: 1, content: 'Done' });
    await agent.composer.reply(reply);
    await changeDraft(agent, conversation, 2, { content: 'The next one' });
    await agent.composer.reply({ ...reply, draftVersion: 3 });
    expect(await draftOf(agent, conversation)).toMatchObject({ version: 3, content: 'The next one' });
  });
});

describe('a teammate cannot', () => {
  test('write into a draft as a viewer, who reads it', async ({ agent, screensOf, conversation }) => {
    const viewer = await screensOf('viewer');
    await changeDraft(agent, conversation, 0, { content: 'One' });
    await expect(changeDraft(viewer, conversation, 1, { content: 'Two' })).rejects.toThrow('Viewers');
    expect(await draftOf(viewer, conversation)).toMatchObject({ version: 1, content: 'One' });
  });

  test('add a file whose name was changed by the page', async ({ agent, conversation, workspaceId }) => {
    const file = signUploaded(workspaceId, await storeBytes(workspaceId));
    await changeDraft(agent, conversation, 0, { content: 'One', files: [{ ...file, name: 'b.exe' }] });
    expect(await draftOf(agent, conversation)).toMatchObject({ content: 'One', files: [] });
  });

  test.for([
    ['of spam', { removal: 'spam', removedAt: new Date() }, 'marked as spam'],
    ['of a deleted conversation', { removal: 'deleted', removedAt: new Date() }, 'was deleted'],
  ] as const)('write a draft %s', async ([_of, columns, problem], { agent, conversation }) => {
    await db().conversation.update({ where: { id: conversation }, data: columns });
    await expect(changeDraft(agent, conversation, 0, { content: 'One' })).rejects.toThrow(problem);
    await expect(changeDraft(agent, randomUUID(), 0, { content: 'One' })).rejects.toThrow('not found');
    expect(await db().replyDraft.count({ where: { conversationId: conversation } })).toBe(0);
  });
});

describe('a merge', () => {
  test('moves the draft to a conversation without one, without its recipients', async ({
    agent,
    conversation,
    teammates: { workspaceId, owner: teammate },
  }) => {
    const into = await makeConversation({ workspaceId, teammate });
    await changeDraft(agent, into, 0, { content: 'Sent before' });
    for (const version of [1, 2]) await changeDraft(agent, into, version, { content: '' });
    const copies = { cc: ['carol@example.com'], bcc: [] };
    await changeDraft(agent, conversation, 0, {
      content: 'Half a reply',
      copies,
      answers: 'bob@example.com',
    });
    await mergeAs({ workspaceId, teammate }, conversation, into);
    expect(await draftOf(agent, into)).toMatchObject({
      version: 4,
      content: 'Half a reply',
      copies: null,
      answers: null,
    });
    expect(await draftOf(agent, conversation)).toBeNull();
    await expect(changeDraft(agent, conversation, 1, { content: 'More' })).rejects.toThrow('merged');
  });

  test('keeps the draft of a conversation that has one, and the merged one stays readable', async ({
    agent,
    conversation,
    teammates: { workspaceId, owner: teammate },
  }) => {
    const into = await makeConversation({ workspaceId, teammate });
    await changeDraft(agent, into, 0, { content: 'There' });
    await changeDraft(agent, conversation, 0, { content: 'Here' });
    await mergeAs({ workspaceId, teammate }, conversation, into);
    expect(await draftOf(agent, into)).toMatchObject({ version: 1, content: 'There' });
    expect(await draftOf(agent, conversation)).toMatchObject({ version: 1, content: 'Here' });
  });
});
