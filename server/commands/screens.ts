import { z } from 'zod';
import { runCommand } from '#server/commands/run-command.ts';
import { actingProcedure } from '#server/teammates/acting-procedure.ts';
import { screenRouter } from '#server/trpc.ts';

/** Starting workflows from a conversation. */
export const commandsScreens = screenRouter({
  run: actingProcedure
    .input(z.object({ conversationId: z.string(), command: z.string(), arguments: z.string() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      runCommand({ workspaceId: workspace.id, operatorId: user.id, ...input }),
    ),
});
