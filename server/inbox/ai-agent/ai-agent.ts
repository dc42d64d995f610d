import type { SearchLanguage } from '#server/core/search-languages.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';

/** Context for the AI agent when a contact waits for an answer. */
export type AgentQuestion = {
  subject: string | null;
  channel: Channel;
  contactName: string | null;
  /** Language of the workspace's messages. */
  language: SearchLanguage;
  /** The newest messages, oldest first. The last one is the contact's message to answer. */
  messages: { from: 'contact' | 'teammate' | 'ai_agent'; content: string }[];
  savedAnswers: KnownAnswer[];
};

export type KnownAnswer = { question: string; answer: string; nextStatus: NextStatus };

/** Status after an answer: `pending` waits for the contact, `solved` needs nothing more. */
export type NextStatus = 'pending' | 'solved';

/** `silent` leaves the conversation to the team. */
export type AgentAnswer = { kind: 'answer'; content: string; nextStatus: NextStatus } | { kind: 'silent' };

/** An agent that answers contacts. `exampleAgent` is built in; `worker/tasks.ts` chooses the agent. */
export type AiAgent = {
  /** Settles before `signal` aborts. A rejection is retried later. */
  answer(question: AgentQuestion, signal: AbortSignal): Promise<AgentAnswer>;
};
