import { randomUUID } from 'node:crypto';
import type { StepKey } from './catalogue/step-types.ts';
import type { TriggerKey } from './catalogue/triggers.ts';
import type { ServiceResponse } from './service/service-response.ts';

/**
 * Glossary. A *connection* is one teammate's approval, with its tokens. A *subscription* is a hook at the service; its
 * *key* is the secret part of the hook's address. An *event* is received by a subscription once per delivery id; each
 * request with the event is an *attempt*. A *workflow* runs one action each time its own subscription accepts an event.
 */
type ConnectionHealth = 'connected' | 'test_failed' | 'needs_reconnect';

/** Response of `GET /me`. */
type Me = {
  id: string;
  user_id: string;
  user_name: string;
  email: string;
  workspace_id: string;
  workspace_name: string;
};

/** Outcome of a refresh: a new access token, a final refusal, or a temporary failure. */
export type RefreshOutcome =
  | { kind: 'refreshed' }
  | { kind: 'refused'; message: string }
  | { kind: 'unavailable'; message: string };

export type SeenRecord = { id: string; title: string };

export type Connection = {
  id: string;
  label: string;
  health: ConnectionHealth;
  /** The service's message about the problem, or null. */
  message: string | null;
  me: Me | null;
  connectedAt: Date;
  accessToken: string;
  refreshToken: string;
  refreshCount: number;
  /** The refresh in flight, shared by all calls that got a 401. */
  refreshing: Promise<RefreshOutcome> | null;
  /** Records from responses and events, newest first, suggested in forms. */
  seenConversations: SeenRecord[];
  seenContacts: SeenRecord[];
};

export const RESPONSE_MODES = ['200', '302', '404', '410', '429', '500', 'hang', 'break off'] as const;
type ResponseMode = (typeof RESPONSE_MODES)[number];

export type Subscription = {
  key: string;
  connectionId: string;
  /** The workflow that its events run, or null for a trigger that is turned on alone. */
  workflowId: string | null;
  trigger: TriggerKey;
  filter: string | null;
  targetUrl: string;
  /** `turning_on` until the service responds: an event can arrive before the response. */
  state: 'turning_on' | 'on' | 'off';
  hookId: string | null;
  responseMode: ResponseMode;
  createdAt: Date;
  /** Requests received while on, and requests received after it was turned off. */
  requestCount: number;
  lateCount: number;
};

/** A number is the response status. `hang` never responds, `break off` closes the connection. */
export type Attempt = { at: Date; answered: number | 'hang' | 'break off' };

export type ReceivedEvent = {
  id: string;
  subscriptionKey: string;
  connectionId: string;
  trigger: TriggerKey;
  deliveryId: string | null;
  headers: Record<string, string>;
  /** Parsed JSON, or the raw text when it is not JSON. */
  body: unknown;
  rawBody: string;
  /** True when a repeat of the delivery had different bytes. */
  bodyChanged: boolean;
  attempts: [Attempt, ...Attempt[]];
};

/** One run of a workflow: the values after mapping, and the service's response, or null while it runs. */
export type WorkflowRun = {
  id: string;
  startedAt: Date;
  values: Record<string, string>;
  response: ServiceResponse | null;
};

export type Workflow = {
  id: string;
  connectionId: string;
  trigger: TriggerKey;
  filter: string;
  action: StepKey;
  /** Values of the action's fields. `{{conversation.subject}}` stands for a field of the event. */
  values: Record<string, string>;
  /** Key of its subscription while it is on. */
  subscriptionKey: string | null;
  /** The reason why the platform turned it off, or null. */
  stopped: string | null;
  /** Newest first. */
  runs: WorkflowRun[];
};

export type Notice = { id: string; tone: 'good' | 'bad'; title: string; text: string };

/** A connection attempt that waits for the browser to return from the consent page. */
export type PendingConnect = { codeVerifier: string; browserId: string; startedAt: Date };

/** All state, in memory only. Maps keep insertion order. */
export type PlatformState = {
  connections: Map<string, Connection>;
  subscriptions: Map<string, Subscription>;
  workflows: Map<string, Workflow>;
  /** Newest first. */
  events: ReceivedEvent[];
  notices: Map<string, Notice>;
  pendingConnects: Map<string, PendingConnect>;
};

export function emptyState(): PlatformState {
  return {
    connections: new Map(),
    subscriptions: new Map(),
    workflows: new Map(),
    events: [],
    notices: new Map(),
    pendingConnects: new Map(),
  };
}

/** Drops the oldest entries until at most `limit` are left. */
export function trimOldest<K, V>(map: Map<K, V>, limit: number): void {
  for (const key of map.keys()) {
    if (map.size <= limit) return;
    map.delete(key);
  }
}

const NOTICES_MAX = 50;

/** Stores a notice for the next page, and returns its id. */
export function addNotice({ notices }: PlatformState, notice: Omit<Notice, 'id'>): string {
  const id = randomUUID();
  notices.set(id, { id, ...notice });
  trimOldest(notices, NOTICES_MAX);
  return id;
}
