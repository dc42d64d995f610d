import { z } from 'zod';
import type { TemplateView } from '#server/inbox/channels/whatsapp/templates.ts';
import { listTemplates } from '#server/inbox/channels/whatsapp/templates.ts';
import { cancelReply } from '#server/inbox/messages/cancel-reply.ts';
import { resendMessage } from '#server/inbox/messages/resend-message.ts';
import { scheduleReply } from '#server/inbox/messages/schedule-reply.ts';
import { sendTemplate } from '#server/inbox/messages/send-template.ts';
import { agentProcedure } from '#server/screens/agent-procedure.ts';
import { enclosuresShape } from '#server/screens/inbox/enclosures-shape.ts';
import { screenRouter } from '#server/screens/procedures.ts';

export type * from '#server/screens/inbox/messages-views.ts';

/** Writing to a contact. */
export const composerScreens = screenRouter({
  reply: agentProcedure
    .input(
      z.object({
        conversationId: z.uuid(),
        id: z.uuid(),
        content: z.string(),
        solves: z.boolean().optional(),
        ...enclosuresShape,
      }),
    )
    .mutation(({ ctx: { workspace, user }, input }) =>
      scheduleReply({ workspaceId: workspace.id, author: user, ...input }),
    ),
  cancelReply: agentProcedure
    .input(z.object({ id: z.uuid() }))
    .mutation(({ ctx: { workspace, user }, input: { id } }) =>
      cancelReply({ workspaceId: workspace.id, id, by: user }),
    ),
  templates: agentProcedure
    .input(z.object({ conversationId: z.uuid() }))
    .query(
      ({ ctx: { workspace }, input }): Promise<TemplateView[]> =>
        listTemplates({ workspaceId: workspace.id, ...input }),
    ),
  sendTemplate: agentProcedure
    .input(
      z.object({
        conversationId: z.uuid(),
        name: z.string(),
        language: z.string(),
        values: z.record(z.string(), z.string()),
      }),
    )
    .mutation(({ ctx: { workspace, user }, input }) =>
      sendTemplate({ workspaceId: workspace.id, by: user, ...input }),
    ),
  resend: agentProcedure
    .input(z.object({ conversationId: z.uuid(), messageId: z.uuid() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      resendMessage({ workspaceId: workspace.id, by: user, ...input }),
    ),
});
