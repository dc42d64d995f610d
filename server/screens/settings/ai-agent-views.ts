import type { ConversationStatus } from '#server/generated/prisma/enums.ts';
import type { NextStatus } from '#server/inbox/ai-agent/ai-agent.ts';

export type { NextStatus };

/** A question of contacts and the answer that the AI agent gives to it. */
export type SavedAnswerView = {
  id: string;
  question: string;
  answer: string;
  /** What the conversation becomes once it was answered. */
  nextStatus: NextStatus;
};

/** The AI agent of a workspace, as its settings show it. */
export type AgentView = {
  enabled: boolean;
  /** The viewer may change it. */
  mayManage: boolean;
  /** The viewer may test it. */
  mayTest: boolean;
  /** By question. */
  answers: SavedAnswerView[];
  answersMax: number;
  questionMaxLength: number;
  answerMaxLength: number;
};

/** A conversation from testing the agent. `answered`: whether the agent answered the last message. */
export type AgentTestView = {
  conversationId: string;
  status: ConversationStatus;
  answered: boolean;
  messages: { id: string; from: 'tester' | 'agent'; content: string }[];
};

/** Whether the agent stays out of a conversation, where the workspace has it on. */
export type AgentStateView = { silenced: boolean; mayChange: boolean };
