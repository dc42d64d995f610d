import type { Channel } from '#server/generated/prisma/enums.ts';
import type { SavedAnswerView } from '#server/inbox/ai-agent/saved-answers.ts';
import type { ChannelField } from '#server/inbox/channels/channel-names.ts';
import type { FlowActions, FlowCondition } from '#server/inbox/flows/flow.ts';

export { CHANNEL_LIST, CHANNEL_NAMES } from '#server/inbox/channels/channel-names.ts';

/** An account that is connected, and how it is doing. */
export type AccountView = {
  id: string;
  name: string;
  state: 'connected' | 'faulty' | 'reconnect_needed';
  /** What is wrong, as a sentence; null when nothing. */
  problem: string | null;
  lastReceivedAt: Date | null;
  /** What to copy into the provider's settings. */
  address: string;
  verifyToken: string | null;
  /** How many messages arrived and could not be processed: they can be tried again. */
  failedUpdates: number;
};

/** A channel whose accounts can be connected. */
export type ChannelView = {
  channel: Channel;
  name: string;
  fields: ChannelField[];
  /** What to do at the provider, a sentence each. */
  steps: string[];
  accounts: AccountView[];
};

/** How the mail of a domain is signed (DKIM). */
export type SigningView = {
  id: string;
  domain: string;
  /** Mail leaves only from a verified domain. */
  isVerified: boolean;
  /** What to add to its DNS; null while it has no key. */
  record: { type: 'TXT'; name: string; value: string } | null;
  /** When the record was last found; null while mail leaves unsigned. */
  checkedAt: Date | null;
};

/** What is set up for email. */
export type EmailChannelView = {
  domains: SigningView[];
  /** Where a provider of mail posts what arrives; null when there is no such address. Its secret is never shown again. */
  postedMail: { address: string; madeAt: Date; lastReceivedAt: Date | null } | null;
};

export type { FlowActions, FlowCondition };

/** A flow as the settings show it. */
export type FlowView = {
  id: string;
  name: string;
  enabled: boolean;
  /** When it applies and what it does; null when it cannot be read, and then it does nothing. */
  content: { condition: FlowCondition; actions: FlowActions } | null;
  /** Both as one sentence. */
  sentence: string;
  /** Why a part of it does nothing, as a sentence, or null. */
  problem: string | null;
};

/** The flows of a workspace in the order in which they run, and what their parts may be. */
export type FlowsView = {
  /** The viewer may change them. */
  mayManage: boolean;
  flows: FlowView[];
  flowsMax: number;
  /** The channels on which conversations start here: those that are connected. */
  channels: Channel[];
  teammates: { id: string; name: string }[];
  teams: { id: string; name: string }[];
};

export type { SavedAnswerView } from '#server/inbox/ai-agent/saved-answers.ts';
export type { AgentTestView } from '#server/inbox/ai-agent/test-agent.ts';

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
