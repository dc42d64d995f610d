import type { Channel } from '#server/generated/prisma/enums.ts';

/** What the AI agent knows of a conversation in which a contact waits for an answer. */
export type AgentQuestion = {
  subject: string | null;
  channel: Channel;
  contactName: string | null;
  /** The newest of what was said, oldest first; the last one is the contact's message that is asked about. */
  messages: { from: 'contact' | 'teammate' | 'ai_agent'; content: string }[];
  /** What the workspace has taught it. */
  savedAnswers: KnownAnswer[];
};

export type KnownAnswer = { question: string; answer: string; nextStatus: NextStatus };

/** What the conversation becomes once it was answered: it waits for the contact, or all is said. */
export type NextStatus = 'pending' | 'solved';

/** What the agent does: it answers, or leaves the conversation to the team. */
export type AgentAnswer = { kind: 'answer'; content: string; nextStatus: NextStatus } | { kind: 'silent' };

/** What may answer contacts: built in is `exampleAgent`; another one is put in its place in `worker/tasks.ts`. */
export type AiAgent = {
  /** Settles before the signal ends it. Throws when it could not think about it: then it is asked again later. */
  answer(question: AgentQuestion, signal: AbortSignal): Promise<AgentAnswer>;
};
