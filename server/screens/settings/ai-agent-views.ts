import type { NextStatus } from '#server/inbox/ai-agent/ai-agent.ts';
import type { SavedAnswerView } from '#server/inbox/ai-agent/saved-answers.ts';

export type { SavedAnswerView } from '#server/inbox/ai-agent/saved-answers.ts';
export type { AgentTestView } from '#server/inbox/ai-agent/test-agent.ts';

export type { NextStatus };

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

/** Whether the agent stays out of a conversation, where the workspace has it on. */
export type AgentStateView = { silenced: boolean; mayChange: boolean };
