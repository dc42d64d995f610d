import type { Channel } from '#server/generated/prisma/enums.ts';
import type { FlowActions, FlowCondition } from '#server/inbox/flows/flow.ts';

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
