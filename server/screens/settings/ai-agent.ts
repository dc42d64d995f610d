import { z } from 'zod';
import { updateSettings } from '#server/administration/workspaces/update-settings.ts';
import { keyInput, textInput } from '#server/contract/text-input.ts';
import { db } from '#server/core/database/prisma.ts';
import { exampleAgent } from '#server/inbox/ai-agent/example-agent.ts';
import {
  ANSWER_MAX_LENGTH,
  ANSWERS_MAX,
  addAnswer,
  deleteAnswer,
  listAnswers,
  QUESTION_MAX_LENGTH,
  updateAnswer,
} from '#server/inbox/ai-agent/saved-answers.ts';
import { setSilenced } from '#server/inbox/ai-agent/set-silenced.ts';
import { type AgentTestView, testAgent } from '#server/inbox/ai-agent/test-agent.ts';
import { adminProcedure, agentProcedure, screenProcedure, screenRouter } from '#server/screens/procedures.ts';
import type { AgentView } from '#server/screens/settings/channel-views.ts';
import { isAdmin } from '#server/teammates/roles.ts';

const fields = {
  question: textInput(QUESTION_MAX_LENGTH),
  answer: textInput(ANSWER_MAX_LENGTH),
  nextStatus: z.enum(['pending', 'solved']),
};

/** Settings of the AI agent: saved answers, switch and test. */
export const aiAgentScreens = screenRouter({
  get: screenProcedure.query(async ({ ctx: { workspace } }): Promise<AgentView> => {
    const where = { id: workspace.id };
    const [{ aiAgentEnabled }, answers] = await Promise.all([
      db().workspace.findUniqueOrThrow({ where, select: { aiAgentEnabled: true } }),
      listAnswers(db(), workspace.id),
    ]);
    return {
      enabled: aiAgentEnabled,
      mayManage: isAdmin(workspace.role),
      mayTest: workspace.role !== 'viewer',
      answers,
      answersMax: ANSWERS_MAX,
      questionMaxLength: QUESTION_MAX_LENGTH,
      answerMaxLength: ANSWER_MAX_LENGTH,
    };
  }),
  setEnabled: adminProcedure
    .input(z.object({ enabled: z.boolean() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      updateSettings({ workspaceId: workspace.id, changes: { aiAgentEnabled: input.enabled }, by: user }),
    ),
  addAnswer: adminProcedure
    .input(z.object(fields))
    .mutation(({ ctx: { workspace, user }, input }) =>
      addAnswer({ workspaceId: workspace.id, by: user, ...input }),
    ),
  updateAnswer: adminProcedure
    .input(z.object({ id: keyInput, ...fields }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      updateAnswer({ workspaceId: workspace.id, by: user, ...input }),
    ),
  deleteAnswer: adminProcedure
    .input(z.object({ id: keyInput }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      deleteAnswer({ workspaceId: workspace.id, by: user, ...input }),
    ),
  test: agentProcedure
    .meta({ names: { conversationId: 'conversation' } })
    .input(z.object({ conversationId: keyInput.nullable(), content: textInput(8_000, 'message') }))
    .mutation(
      ({ ctx: { workspace }, input }): Promise<AgentTestView> =>
        testAgent(exampleAgent, { workspaceId: workspace.id, ...input }),
    ),
  setSilenced: agentProcedure
    .meta({ names: { id: 'conversation' } })
    .input(z.object({ id: keyInput, silenced: z.boolean() }))
    .mutation(({ ctx: { workspace, actor }, input }) =>
      setSilenced({ workspaceId: workspace.id, actor, ...input }),
    ),
});
