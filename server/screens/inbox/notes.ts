import { z } from 'zod';
import { formattedInput, storedFormatted, type Written } from '#server/contract/parse-formatted.ts';
import { keyInput, textInput } from '#server/contract/text-input.ts';
import { planAndWrite } from '#server/core/database/planned.ts';
import { db } from '#server/core/database/prisma.ts';
import { notFound, Refusal } from '#server/core/errors.ts';
import type { Plan } from '#server/generated/prisma/enums.ts';
import { addNote, NOTE_MAX_LENGTH, notesProblem } from '#server/inbox/conversations/add-note.ts';
import { deleteNote, editNote, restoreNote } from '#server/inbox/conversations/change-note.ts';
import { readableIn } from '#server/inbox/conversations/readable-conversations.ts';
import { isPicture } from '#server/inbox/files/content-types.ts';
import { openAll } from '#server/inbox/files/retain-uploaded.ts';
import { parseWritten } from '#server/inbox/messages/schedule-reply.ts';
import { attemptId, enclosuresShape } from '#server/screens/inbox/composer.ts';
import { findUnseenBy } from '#server/screens/inbox/find-unseen-by.ts';
import { insertOnce } from '#server/screens/inbox/insert-once.ts';
import type { NoteTextsView, PictureView } from '#server/screens/inbox/thread-views.ts';
import { agentProcedure, screenProcedure, screenRouter } from '#server/screens/procedures.ts';

const ofNote = { conversationId: z.uuid(), noteId: z.uuid() };
/** Number of earlier texts that the page showed. */
const version = z.int().min(0).max(1_000);
const text = { content: textInput(NOTE_MAX_LENGTH, 'note'), formatted: formattedInput.nullish() };
const names = { conversationId: 'conversation', noteId: 'note' } as const;

/** Internal notes. */
export const notesScreens = screenRouter({
  /** Returns the names of mentioned teammates who do not see the conversation. They are not notified while they do not. */
  add: agentProcedure
    .meta({ names: { conversationId: 'conversation' } })
    .input(z.object({ conversationId: keyInput, id: attemptId, ...text, files: enclosuresShape.files }))
    .mutation(async ({ ctx: { workspace, user, actor }, input }): Promise<{ unseenBy: string[] }> => {
      const { conversationId, id: noteId, files: uploaded = [] } = input;
      const workspaceId = workspace.id;
      const written = parseNote(workspace, input, { mayBeEmpty: uploaded.length > 0 });
      const files = openAll(workspaceId, uploaded);
      await insertOnce('notes', { workspaceId, userId: user.id, id: noteId }, () =>
        planAndWrite((tx) =>
          addNote(tx, { workspaceId, id: conversationId, actor, ...written, files, noteId }),
        ),
      );
      return { unseenBy: await findUnseenBy({ workspaceId, conversationId, noteId }) };
    }),
  /** Returns the new version, and `unseenBy` as `add` for teammates whom the note did not mention before. */
  edit: agentProcedure
    .meta({ names })
    .input(z.object({ ...ofNote, version, ...text }))
    .mutation(async ({ ctx: { workspace, actor }, input }) => {
      const { id: workspaceId } = workspace;
      const files = input.formatted ? await listNoteFiles({ workspaceId, noteId: input.noteId }) : [];
      const written = parseNote(workspace, { ...input, files });
      const edited = await editNote({ workspaceId, actor, ...input, ...written });
      const unseenBy = await findUnseenBy({ workspaceId, ...input, among: edited.mentioned });
      return { version: edited.version, ...written, unseenBy };
    }),
  delete: agentProcedure
    .meta({ names })
    .input(z.object({ ...ofNote, version }))
    .mutation(({ ctx: { workspace, actor }, input }) =>
      deleteNote({ workspaceId: workspace.id, actor, ...input }),
    ),
  /** Undoes `delete`. */
  restore: agentProcedure
    .meta({ names })
    .input(z.object(ofNote))
    .mutation(({ ctx: { workspace, actor }, input }) =>
      restoreNote({ workspaceId: workspace.id, actor, ...input }),
    ),
  /** Returns the texts of a note that was not deleted. */
  texts: screenProcedure
    .meta({ names: { noteId: 'note' } })
    .input(z.object({ noteId: z.uuid() }))
    .query(async ({ ctx: { workspace }, input: { noteId } }): Promise<NoteTextsView> => {
      const note = await db().note.findFirst({
        where: {
          id: noteId,
          workspaceId: workspace.id,
          deletedAt: null,
          conversation: readableIn([workspace]),
        },
        select: {
          version: true,
          content: true,
          formatted: true,
          versions: {
            select: { content: true, formatted: true, writtenAt: true },
            orderBy: { number: 'desc' },
          },
          files: {
            select: { id: true, fileId: true, contentType: true },
            orderBy: { position: 'asc' },
          },
        },
      });
      if (!note) throw notFound('The note');
      const { versions, files, ...current } = note;
      return {
        ...withFormatting(current),
        earlier: versions.map(withFormatting),
        pictures: picturesOf(files),
      };
    }),
});

/**
 * Returns the text of a note.
 * @param mayBeEmpty the note has files
 * @throws Refusal when the plan does not include notes, or the text is empty or too long
 */
function parseNote(
  { plan }: { plan: Plan },
  written: Parameters<typeof parseWritten>[0],
  { mayBeEmpty = false } = {},
): Written {
  const problem = notesProblem(plan);
  if (problem) throw new Refusal('plan', problem);
  return parseWritten(written, { label: 'note', max: NOTE_MAX_LENGTH, mayBeEmpty });
}

/** Returns the files of a note as the stored files. */
async function listNoteFiles(which: { workspaceId: string; noteId: string }) {
  const files = await db().noteFile.findMany({ where: which, select: { fileId: true, contentType: true } });
  return files.map(({ fileId: id, contentType }) => ({ id, contentType }));
}

/** Returns those files of a note that a text can show. */
function picturesOf(files: (PictureView & { contentType: string })[]): PictureView[] {
  return files.flatMap(({ fileId, id, contentType }) => (isPicture(contentType) ? { fileId, id } : []));
}

/** Parses the formatting of a row. */
function withFormatting<Row extends { formatted: unknown }>(row: Row) {
  return { ...row, formatted: storedFormatted(row.formatted) };
}
