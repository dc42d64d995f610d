import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { removeExpiredFiles } from '#server/inbox/files/remove-expired-files.ts';
import { signUploaded } from '#server/inbox/files/uploaded-file.ts';
import { makeApiToken } from '#test/fixtures/api-tokens.ts';
import { test as screensTest } from '#test/fixtures/screens-test.ts';
import { storeBytes } from '#test/fixtures/stored-files.ts';
import { makeTeammates, sessionCookie, signInTeammate } from '#test/fixtures/teammates.ts';

/**
 * The agent's screens. `upload` stores a file as a page does, `shown` returns the notes of `conversation`, and `read` loads a file with
 * some headers, by default those of the agent.
 */
const test = screensTest
  .extend('agent', async ({ teammates }) => (await signInTeammate(teammates.agent))())
  .extend('upload', ({ workspaceId }) => async (name: string) => {
    return signUploaded(workspaceId, await storeBytes(workspaceId, { name, content: `Content of ${name}` }));
  })
  .extend('shown', ({ agent, conversation }) => async () => {
    const thread = await agent.conversations.get({ id: conversation });
    return thread?.conversation.items.flatMap((item) => (item.kind === 'note' ? item : [])) ?? [];
  })
  .extend('read', async ({ service, teammates }) => {
    const cookie = await sessionCookie(teammates.agent.id);
    return async (id: string, headers: Record<string, string> = { cookie }) => {
      const response = await fetch(`${service.url}/attachments/${id}`, { headers });
      return { status: response.status, body: await response.text() };
    };
  });

const NOT_FOUND = { status: 404, body: '{"message":"The file was not found."}' };

describe('the files of a note', () => {
  test('are shown in their order, and read by teammates only', async ({
    agent,
    conversation,
    upload,
    shown,
    read,
    teammates: { workspaceId, viewer, owner },
  }) => {
    const elsewhere = await makeTeammates();
    const files = [await upload('b.txt'), await upload('a.txt')];
    await agent.notes.add({ conversationId: conversation, content: 'Two files', files });
    const [note] = await shown();
    expect(note).toMatchObject({ content: 'Two files', attachments: [{ name: 'b.txt' }, { name: 'a.txt' }] });
    const id = note?.attachments[0]?.id ?? '';
    expect(await read(id)).toEqual({ status: 200, body: 'Content of b.txt' });
    expect(await read(id, { cookie: await sessionCookie(viewer.id) })).toMatchObject({ status: 200 });
    expect(await read(id, { cookie: await sessionCookie(elsewhere.owner.id) })).toEqual(NOT_FOUND);
    const { token } = await makeApiToken({ where: { workspaceId, by: owner } });
    expect(await read(id, { authorization: `Bearer ${token}` })).toMatchObject({ status: 404 });
    expect(await read(id, {})).toMatchObject({ status: 401 });
  });

  test('need no text, which a note without files needs', async ({ agent, conversation, upload, shown }) => {
    const note = { conversationId: conversation, content: ' ' };
    await agent.notes.add({ ...note, files: [await upload('a.txt')] });
    expect(await shown()).toMatchObject([{ content: '', attachments: [{ name: 'a.txt' }] }]);
    await expect(agent.notes.add(note)).rejects.toThrow('The note is empty.');
  });

  test('disappear with the note, return with Undo, and stay in the workspace’s storage', async ({
    agent,
    conversation: conversationId,
    upload,
    shown,
    read,
  }) => {
    await agent.notes.add({ conversationId, content: 'Mine', files: [await upload('a.txt')] });
    const [note] = await shown();
    const [id, which] = [note?.attachments[0]?.id ?? '', { conversationId, noteId: note?.id ?? '' }];
    await agent.notes.delete({ ...which, version: 0 });
    expect(await shown()).toMatchObject([{ isDeleted: true, attachments: [] }]);
    expect(await read(id)).toEqual(NOT_FOUND);
    await removeExpiredFiles();
    await agent.notes.restore(which);
    expect(await shown()).toMatchObject([{ isDeleted: false, attachments: [{ id }] }]);
    expect(await read(id)).toEqual({ status: 200, body: 'Content of a.txt' });
  });

  test('are added once by a repeated request, and not to a second note', async ({
    agent,
    conversation: conversationId,
    upload,
    shown,
  }) => {
    const note = { conversationId, id: crypto.randomUUID(), content: 'Once', files: [await upload('a.txt')] };
    await Promise.all([agent.notes.add(note), agent.notes.add(note)]);
    await expect(agent.notes.add({ ...note, id: crypto.randomUUID() })).rejects.toThrow(
      'The files could not be saved. Send them again.',
    );
    expect(await shown()).toMatchObject([{ attachments: [{ name: 'a.txt' }] }]);
  });

  test('are refused when the page changed their name, or there are more than five', async ({
    agent,
    conversation: conversationId,
    upload,
    shown,
  }) => {
    const file = await upload('a.txt');
    const add = (files: (typeof file)[]) => agent.notes.add({ conversationId, content: 'Hi', files });
    await expect(add([{ ...file, name: '../a.html' }])).rejects.toThrow('A file is no longer available.');
    await expect(add(Array.from({ length: 6 }, () => file))).rejects.toThrow(
      'A message can have up to 5 files.',
    );
    expect(await shown()).toEqual([]);
  });

  test('are removed from storage once the note is gone', async ({
    agent,
    conversation,
    upload,
    workspaceId,
  }) => {
    await agent.notes.add({ conversationId: conversation, content: 'Gone', files: [await upload('a.txt')] });
    const stored = () => db().storedFile.count({ where: { workspaceId } });
    await removeExpiredFiles();
    expect(await stored()).toBe(1);
    await db().note.deleteMany({ where: { workspaceId } });
    await removeExpiredFiles();
    expect(await stored()).toBe(0);
  });
});
