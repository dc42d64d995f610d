import { z } from 'zod';
import { Refusal } from '#server/core/errors.ts';
import { addNote } from '#server/inbox/conversations/add-note.ts';
import { NOTE_MAX_LENGTH, notesProblem } from '#server/inbox/conversations/note-terms.ts';
import { parseContent } from '#server/inbox/messages/parse-content.ts';
import { agentProcedure } from '#server/screens/agent-procedure.ts';
import { screenRouter } from '#server/screens/procedures.ts';

/** Writing to the team. */
export const notesScreens = screenRouter({
  add: agentProcedure
    .input(z.object({ conversationId: z.string(), content: z.string() }))
    .mutation(async ({ ctx: { workspace, actor }, input: { conversationId, content } }) => {
      const problem = notesProblem(workspace.plan);
      if (problem) throw new Refusal('plan', problem);
      const text = parseContent(content, { label: 'note', max: NOTE_MAX_LENGTH });
      await addNote({ workspaceId: workspace.id, id: conversationId, actor, content: text });
    }),
});
