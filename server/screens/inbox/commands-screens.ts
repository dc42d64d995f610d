import { z } from 'zod';
import { runCommand } from '#server/inbox/commands/run-command.ts';
import { agentProcedure } from '#server/screens/agent-procedure.ts';
import { screenRouter } from '#server/screens/procedures.ts';

/** Starting workflows from a conversation. */
export const commandsScreens = screenRouter({
  run: agentProcedure
    .input(z.object({ conversationId: z.string(), command: z.string(), arguments: z.string() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      runCommand({ workspaceId: workspace.id, operatorId: user.id, ...input }),
    ),
});
