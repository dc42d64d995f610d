import type { AiAgent } from '#server/inbox/ai-agent/ai-agent.ts';
import { matchAnswer } from '#server/inbox/ai-agent/match-answer.ts';

/**
 * The built-in agent: answers with the saved answer to the question that is most like the contact's message. Silent
 * when it is not sure, and when it has given that answer in this conversation already: asking again means that the
 * answer did not help.
 */
export const exampleAgent: AiAgent = {
  answer: async ({ messages, savedAnswers }) => {
    const asked = messages.at(-1);
    const found = asked?.from === 'contact' ? matchAnswer(asked.content, savedAnswers) : undefined;
    if (!found) return { kind: 'silent' };
    const given = messages.some(({ from, content }) => from === 'ai_agent' && content === found.answer);
    if (given) return { kind: 'silent' };
    return { kind: 'answer', content: found.answer, nextStatus: found.nextStatus };
  },
};
