import { describe, expect } from 'vitest';
import { formattedText } from '#server/contract/formatted-text.ts';
import { db } from '#server/core/database/prisma.ts';
import { formattedLines, makeFormatted, makePictured } from '#test/fixtures/formatted.ts';
import { test as screensTest } from '#test/fixtures/screens-test.ts';
import { uploadPicture } from '#test/fixtures/stored-files.ts';
import { signInTeammate } from '#test/fixtures/teammates.ts';

const FORMATTED = { content: formattedLines(), formatted: makeFormatted() };

/** The agent's screens, and a formatted note of theirs in `conversation`. */
const test = screensTest
  .extend('agent', async ({ teammates }) => (await signInTeammate(teammates.agent))())
  .extend('note', async ({ agent, conversation: conversationId, workspaceId }) => {
    await agent.notes.add({ conversationId, content: 'ignored', formatted: makeFormatted() });
    const { id: noteId } = await db().note.findFirstOrThrow({ where: { workspaceId } });
    const which = { conversationId, noteId };
    return {
      which,
      edit: (version: number, formatted: unknown, content = '') =>
        agent.notes.edit({ ...which, version, content, formatted }),
      texts: () => agent.notes.texts({ noteId }),
      shown: async () => {
        const thread = await agent.conversations.get({ id: conversationId });
        return thread?.conversation.items.find(({ id }) => id === noteId);
      },
    };
  });

describe('a formatted note', () => {
  test('is shown with its formatting, and its content is its plain text', async ({ note }) => {
    expect(await note.shown()).toMatchObject(FORMATTED);
    expect(await note.texts()).toMatchObject({ ...FORMATTED, earlier: [] });
  });

  test('mentions teammates, also in bold', async ({ agent, conversation: conversationId, teammates }) => {
    const { admin, workspaceId } = teammates;
    await agent.notes.add({ conversationId, content: '', formatted: makeFormatted(`@${admin.name}`) });
    const { mentions } = await db().note.findFirstOrThrow({
      where: { workspaceId },
      include: { mentions: true },
    });
    expect(mentions).toMatchObject([{ userId: admin.id }]);
  });

  test('keeps the formatting of its earlier texts', async ({ note }) => {
    const other = makeFormatted('Bob');
    expect(await note.edit(0, other)).toMatchObject({
      version: 1,
      content: formattedLines('Bob'),
      formatted: other,
    });
    expect(await note.edit(1, null, 'Plain')).toMatchObject({
      version: 2,
      content: 'Plain',
      formatted: null,
    });
    expect(await note.texts()).toMatchObject({
      version: 2,
      content: 'Plain',
      formatted: null,
      earlier: [{ content: formattedLines('Bob'), formatted: other }, FORMATTED],
    });
  });

  test('is unchanged by the same formatting, and edited by another one of the same text', async ({
    note,
  }) => {
    expect(await note.edit(0, makeFormatted())).toMatchObject({ version: 0 });
    const lines = formattedText(formattedLines());
    expect(await note.edit(0, lines)).toEqual({
      version: 1,
      content: formattedLines(),
      formatted: null,
      unseenBy: [],
    });
    expect(await note.edit(1, makeFormatted())).toMatchObject({ version: 2, ...FORMATTED });
  });

  test('loses its formatting with its text when it is deleted, and gets it back', async ({ agent, note }) => {
    await agent.notes.delete({ ...note.which, version: 0 });
    expect(await note.shown()).toMatchObject({ content: '', formatted: null, isDeleted: true });
    await agent.notes.restore(note.which);
    expect(await note.shown()).toMatchObject({ ...FORMATTED, version: 0, isDeleted: false });
  });

  test('is validated by its plain text', async ({ note }) => {
    await expect(note.edit(0, formattedText('\n '))).rejects.toThrow('The note is empty.');
    await expect(note.edit(0, formattedText('x'.repeat(10_001)))).rejects.toThrow('10,000 characters');
  });
});

describe('a note with a picture', () => {
  const PLAIN = 'See [cat.gif]';

  test('shows it apart from its other files, in its earlier texts too, and never one that is not its file', async ({
    agent,
    conversation: conversationId,
    workspaceId,
  }) => {
    const [picture, other] = [await uploadPicture(workspaceId), await uploadPicture(workspaceId, 'dog.gif')];
    const foreign = await uploadPicture(workspaceId);
    const formatted = makePictured(picture);
    await agent.notes.add({ conversationId, content: '', formatted, files: [picture, other] });
    const pictures = [{ fileId: picture.id, id: picture.id }];
    const shown = async () => {
      const thread = await agent.conversations.get({ id: conversationId });
      return thread?.conversation.items.find(({ kind }) => kind === 'note');
    };
    const note = await shown();
    expect(note).toMatchObject({ content: PLAIN, formatted, pictures, attachments: [{ id: other.id }] });
    const which = { conversationId, noteId: note?.id ?? '' };
    const edited = await agent.notes.edit({
      ...which,
      version: 0,
      content: '',
      formatted: makePictured(foreign),
    });
    expect(edited).toMatchObject({ version: 1, content: PLAIN, formatted: null });
    expect(await shown()).toMatchObject({
      content: PLAIN,
      pictures: [],
      attachments: [{ id: picture.id }, { id: other.id }],
    });
    expect(await agent.notes.texts({ noteId: which.noteId })).toMatchObject({
      earlier: [{ content: PLAIN, formatted }],
      pictures: [...pictures, { fileId: other.id, id: other.id }],
    });
    expect(await agent.notes.edit({ ...which, version: 1, content: '', formatted })).toMatchObject({
      version: 2,
      formatted,
    });
    await agent.notes.delete({ ...which, version: 2 });
    expect(await shown()).toMatchObject({ content: '', pictures: [], attachments: [] });
  });

  test('has its name if the picture is not among its files', async ({
    agent,
    conversation: conversationId,
    workspaceId,
  }) => {
    const formatted = makePictured(await uploadPicture(workspaceId));
    await agent.notes.add({ conversationId, content: '', formatted });
    expect(await db().note.findMany({ where: { conversationId } })).toMatchObject([
      { content: PLAIN, formatted: null },
    ]);
  });
});
