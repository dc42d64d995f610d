import { EVENT_KEYS, EVENTS } from '#server/contract/event-catalogue.ts';
import type { AttemptOutcome, Role } from '#server/generated/prisma/enums.ts';

/** One connection as the integrations screen shows it. */
export type ConnectionView = {
  id: string;
  teammate: { name: string; email: string };
  createdAt: Date;
  lastUsedAt: Date | null;
  /** Its code was not exchanged yet: the platform has not finished connecting. */
  waiting: boolean;
  /** What its teammate is now, if that is neither owner nor admin: then it cannot act, and ends when it is next used. */
  demotedTo: Role | null;
  liveWorkflows: number;
  /** Commands its hooks listen for, sorted; empty when none. */
  commands: string[];
  /** A hook without a command filter listens for every command. */
  listensForEveryCommand: boolean;
  health: ConnectionHealth;
  hooks: ConnectionHook[];
};

/** One of a connection's live hooks. */
export type ConnectionHook = {
  id: string;
  event: string;
  eventName: string;
  filter: string | null;
  health: HookHealth;
  createdAt: Date;
};

/** Slots of the workspace's plan and what uses them. `limit` null: unlimited. */
export type SlotsView = {
  planName: string;
  limit: number | null;
  used: number;
  integrations: { id: string; name: string; since: Date; isPlatform: boolean }[];
  /** The demo has a sample integration to add. */
  mayAddSample: boolean;
};

export type IntegrationsView =
  /** `ownConnections`: those this teammate made while they were owner or admin, and that have not ended yet. */
  | { kind: 'not_allowed'; role: string; ownConnections: number }
  /** The newest connections; `older` is the cursor of the next page, null when these are all. */
  | {
      kind: 'shown';
      platformName: string;
      slots: SlotsView;
      connections: ConnectionView[];
      older: string | null;
    };

/** A page of a list, newest first; `older` is the cursor of the next one, null at the end. */
export type HistoryPage<T> = { items: T[]; older: string | null };

/** A connection that ended, as the integrations screen shows it. */
export type EndedConnectionView = {
  id: string;
  teammate: { name: string; email: string };
  connectedAt: Date;
  /** Null when it was never used. */
  lastUsedAt: Date | null;
  endedAt: Date;
  why: string;
  /** What to do to have it back; null when there is nothing to do. */
  whatToDo: string | null;
};

/** One entry of the audit list. */
export type AuditEntryView = { id: string; at: Date; sentence: string };

/** A workflow that listens or listened, as people distinguish it from others: what starts it, its filter, whose it is. */
export type HookName = { id: string; eventName: string; filter: string | null; teammateName: string };

/** A workflow that was removed, and why. */
export type RemovedHook = HookName & { removedAt: Date; why: string; whatToDo: string | null };

/** The workflows of a workspace, newest first; of those removed only the newest. */
export type HooksView = { live: HookName[]; removed: RemovedHook[] };

/** How deliveries to a live hook go. `errors` counts events in a row; with `errorsMax` of them it is removed. */
export type HookHealth =
  | { kind: 'failing'; since: Date; errors: number; errorsMax: number }
  | { kind: 'unanswered' | 'retrying' | 'slowed' | 'quiet' | 'normal' };

/** How deliveries of a connection go: the worst of its hooks, and of how many it is true. `idle`: it has no hook. */
export type ConnectionHealth =
  | { kind: 'failing'; since: Date; workflows: number }
  | { kind: 'unanswered' | 'retrying' | 'slowed'; workflows: number }
  | { kind: 'idle' | 'quiet' | 'normal' };

/** What the log can be narrowed to, in the order of its filter. */
export const OUTCOME_FILTERS = ['all', 'delivered', 'failed', 'retrying', 'waiting', 'cancelled'] as const;

export type OutcomeFilter = (typeof OUTCOME_FILTERS)[number];

/** The state of a delivery, in the log's words. */
export type DeliveryState = Exclude<OutcomeFilter, 'all'>;

/** The events of the log's filter, in the order of the contract. */
export const eventChoices = EVENT_KEYS.map((key) => ({ key, name: EVENTS[key].name }));

/** Why an attempt was `unreachable` although the receiver could be reached. */
export type CertificateProblem = 'expired' | 'untrusted';

/** One delivery as a row of the log. */
export type DeliveryRow = {
  id: string;
  event: string;
  eventName: string;
  /** What distinguishes this event from others of its kind: the conversation's subject or the contact; null when unknown. */
  about: string | null;
  hook: { id: string; filter: string | null };
  state: DeliveryState;
  attempts: number;
  lastAttempt: {
    outcome: AttemptOutcome;
    statusCode: number | null;
    durationMs: number;
    certificate?: CertificateProblem;
  } | null;
  /** Null once it has ended. */
  nextAttemptAt: Date | null;
  createdAt: Date;
};

/** Up to 50 rows, newest first; `older` leads to those that follow, null at the end. */
export type DeliveryPage = { rows: DeliveryRow[]; older: string | null };

/** One attempt of an open delivery. Durations in milliseconds. */
export type AttemptView = {
  number: number;
  /** The first after the delivery was sent again by hand. */
  sentAgain: boolean;
  startedAt: Date;
  durationMs: number;
  outcome: AttemptOutcome;
  statusCode: number | null;
  certificate?: CertificateProblem;
  /** What happened, in a sentence. */
  explanation: string;
  /** The same as the machine put it, when there was no response. */
  technical: string | null;
  /** The beginning of the response; null without a response or with an empty one. */
  excerpt: string | null;
  retryAfter: string | null;
};

/** A delivery with all there is to know about it. */
export type OpenDelivery = Omit<DeliveryRow, 'hook' | 'lastAttempt'> & {
  eventId: string;
  occurredAt: Date;
  hook: {
    id: string;
    filter: string | null;
    targetUrl: string;
    teammateName: string;
    /** Why it was removed; null while it is live. */
    removed: string | null;
  };
  /** Its state and the reason, in sentences. */
  summary: string;
  /** What was sent, indented. */
  body: string;
  /** The newest, oldest of them first. */
  attemptList: AttemptView[];
  endedAt: Date | null;
  canRedeliver: boolean;
};
