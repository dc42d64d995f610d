import { z } from 'zod';
import { Refusal } from '#server/errors.ts';
import { readContent } from '#server/messages/read-content.ts';
import { addNote } from '#server/notes/add-note.ts';
import { NOTE_MAX_LENGTH, notesProblem } from '#server/notes/note-terms.ts';
import { actingProcedure } from '#server/teammates/acting-procedure.ts';
import { screenRouter } from '#server/trpc.ts';

/** Writing to the team. */
export const notesScreens = screenRouter({
  add: actingProcedure
    .input(z.object({ conversationId: z.string(), content: z.string() }))
    .mutation(async ({ ctx: { workspace, actor }, input: { conversationId, content } }) => {
      const problem = notesProblem(workspace.plan);
      if (problem) throw new Refusal('plan', problem);
      const text = readContent(content, { label: 'note', max: NOTE_MAX_LENGTH });
      await addNote({ workspaceId: workspace.id, id: conversationId, actor, content: text });
    }),
});
