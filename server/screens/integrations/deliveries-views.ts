import { EVENT_KEYS, EVENTS } from '#server/contract/event-catalogue.ts';
import type { AttemptOutcome } from '#server/generated/prisma/enums.ts';

/** What the log can be narrowed to, in the order of its filter. */
export const OUTCOME_FILTERS = ['all', 'delivered', 'failed', 'retrying', 'waiting', 'cancelled'] as const;

export type OutcomeFilter = (typeof OUTCOME_FILTERS)[number];

/** The state of a delivery, in the log's words. */
export type DeliveryState = Exclude<OutcomeFilter, 'all'>;

/** The events of the log's filter, in the order of the contract. */
export const eventChoices = EVENT_KEYS.map((key) => ({ key, name: EVENTS[key].name }));

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
  lastAttempt: { outcome: AttemptOutcome; statusCode: number | null; durationMs: number } | null;
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
