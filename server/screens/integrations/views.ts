import { EVENT_KEYS, EVENTS } from '#server/contract/event-catalogue.ts';
import type { AttemptOutcome, Role } from '#server/generated/prisma/enums.ts';

export type ConnectionView = {
  id: string;
  teammate: { name: string; email: string };
  createdAt: Date;
  lastUsedAt: Date | null;
  /** The platform has not exchanged the authorization code yet. */
  waiting: boolean;
  /**
   * The teammate's role if it is neither owner nor admin. The connection cannot act, and ends when it is
   * used.
   */
  demotedTo: Role | null;
  liveWorkflows: number;
  /** Sorted command filters of its hooks. */
  commands: string[];
  /** True if a hook has no command filter. */
  listensForEveryCommand: boolean;
  health: ConnectionHealth;
  hooks: ConnectionHook[];
};

export type ConnectionHook = {
  id: string;
  event: string;
  eventName: string;
  filter: string | null;
  health: HookHealth;
  createdAt: Date;
};

/** Slots of the workspace's plan. `limit` is null when unlimited. */
export type SlotsView = {
  planName: string;
  limit: number | null;
  used: number;
  integrations: { id: string; name: string; since: Date; isPlatform: boolean }[];
  /** The demo has another sample integration to add. */
  mayAddSample: boolean;
};

export type IntegrationsView =
  /** `ownConnections`: active connections that this teammate created as an owner or admin. */
  | { kind: 'not_allowed'; role: string; ownConnections: number }
  /** The newest connections. `older` is the cursor of the next page, or null. */
  | {
      kind: 'shown';
      platformName: string;
      slots: SlotsView;
      connections: ConnectionView[];
      older: string | null;
    };

/** A page of a list, newest first. `older` is the cursor of the next page, or null. */
export type HistoryPage<T> = { items: T[]; older: string | null };

export type EndedConnectionView = {
  id: string;
  teammate: { name: string; email: string };
  connectedAt: Date;
  /** Null if it was never used. */
  lastUsedAt: Date | null;
  endedAt: Date;
  why: string;
  /** Instruction for restoring the connection, or null. */
  whatToDo: string | null;
};

/** `by`: name of the teammate or label of the program; null for the service. */
export type AuditEntryView = { id: string; at: Date; by: string | null; kind: string; sentence: string };

/** Distinguishes a workflow: its trigger, its filter and its teammate. */
export type HookName = { id: string; eventName: string; filter: string | null; teammateName: string };

/** A removed workflow with the reason. */
export type RemovedHook = HookName & { removedAt: Date; why: string; whatToDo: string | null };

/** The workflows of a workspace, newest first. `removed` only has the newest. */
export type HooksView = { live: HookName[]; removed: RemovedHook[] };

/** Health of a live hook. `errors`: consecutive failures; at `errorsMax` the hook is removed. */
export type HookHealth =
  | { kind: 'failing'; since: Date; errors: number; errorsMax: number }
  | { kind: 'unanswered' | 'retrying' | 'slowed' | 'quiet' | 'normal' };

/** Health of a connection: that of its worst hooks, and their number. `idle`: it has no hook. */
export type ConnectionHealth =
  | { kind: 'failing'; since: Date; workflows: number }
  | { kind: 'unanswered' | 'retrying' | 'slowed'; workflows: number }
  | { kind: 'idle' | 'quiet' | 'normal' };

/** Choices of the log's filter, in display order. */
export const OUTCOME_FILTERS = ['all', 'delivered', 'failed', 'retrying', 'waiting', 'cancelled'] as const;

export type OutcomeFilter = (typeof OUTCOME_FILTERS)[number];

/** State of a delivery in the log. */
export type DeliveryState = Exclude<OutcomeFilter, 'all'>;

/** Events of the log's filter, in the order of the contract. */
export const eventChoices = EVENT_KEYS.map((key) => ({ key, name: EVENTS[key].name }));

/** Reason of an `unreachable` attempt although the receiver was reachable. */
export type CertificateProblem = 'expired' | 'untrusted';

export type DeliveryRow = {
  id: string;
  event: string;
  eventName: string;
  /** The subject of the conversation or the name of the contact; null when unknown. */
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
  /** Null when it has ended. */
  nextAttemptAt: Date | null;
  createdAt: Date;
};

/** Up to 50 rows, newest first. `older` is the cursor of the next page, or null. */
export type DeliveryPage = { rows: DeliveryRow[]; older: string | null };

export type AttemptView = {
  number: number;
  /** The first attempt after a manual redelivery. */
  sentAgain: boolean;
  startedAt: Date;
  durationMs: number;
  outcome: AttemptOutcome;
  statusCode: number | null;
  certificate?: CertificateProblem;
  /** One sentence. */
  explanation: string;
  /** The error message when there was no response. */
  technical: string | null;
  /** Start of the response body; null when empty or without a response. */
  excerpt: string | null;
  retryAfter: string | null;
};

export type OpenDelivery = Omit<DeliveryRow, 'hook' | 'lastAttempt'> & {
  eventId: string;
  occurredAt: Date;
  hook: {
    id: string;
    filter: string | null;
    targetUrl: string;
    teammateName: string;
    /** Reason of its removal; null while it is live. */
    removed: string | null;
  };
  /** State and reason in sentences. */
  summary: string;
  /** The sent body, indented. */
  body: string;
  /** The newest attempts, oldest first. */
  attemptList: AttemptView[];
  endedAt: Date | null;
  canRedeliver: boolean;
};
