import { randomUUID } from 'node:crypto';
import type { TriggerKey } from './catalogue/triggers.ts';

/**
 * Glossary. A *connection* is one teammate's approval, with its tokens. A *subscription* is a hook of ours at
 * the service; its *key* is the secret part of the hook's address. An *event* is what arrived at a
 * subscription, once per delivery id; every request that carried it is an *attempt*.
 */
type ConnectionHealth = 'connected' | 'test_failed' | 'needs_reconnect';

/** The record that `GET /me` answers with. */
type Me = {
  id: string;
  user_id: string;
  user_name: string;
  email: string;
  workspace_id: string;
  workspace_name: string;
};

/** How a refresh ended: with a new access token, refused for good, or not possible just now. */
export type RefreshOutcome =
  | { kind: 'refreshed' }
  | { kind: 'refused'; message: string }
  | { kind: 'unavailable'; message: string };

export type SeenRecord = { id: string; title: string };

export type Connection = {
  id: string;
  label: string;
  health: ConnectionHealth;
  /** The service's own sentence about what is wrong, or null. */
  message: string | null;
  me: Me | null;
  connectedAt: Date;
  accessToken: string;
  refreshToken: string;
  refreshCount: number;
  /** The refresh under way: every call that meets a 401 meanwhile waits for this one. */
  refreshing: Promise<RefreshOutcome> | null;
  /** Records met in responses and events, newest first, offered where a form asks for an id. */
  seenConversations: SeenRecord[];
  seenContacts: SeenRecord[];
};

export const RESPONSE_MODES = ['200', '302', '404', '410', '429', '500', 'hang', 'break off'] as const;
type ResponseMode = (typeof RESPONSE_MODES)[number];

export type Subscription = {
  key: string;
  connectionId: string;
  trigger: TriggerKey;
  filter: string | null;
  targetUrl: string;
  /** `turning_on` until the service has answered: an event may be faster than that answer. */
  state: 'turning_on' | 'on' | 'off';
  hookId: string | null;
  responseMode: ResponseMode;
  createdAt: Date;
  /** Requests received while on, and requests that still came after it was turned off. */
  requestCount: number;
  lateCount: number;
};

/** A number is the status that we answered with; `hang` never answers, `break off` closes the connection instead. */
export type Attempt = { at: Date; answered: number | 'hang' | 'break off' };

export type ReceivedEvent = {
  id: string;
  subscriptionKey: string;
  connectionId: string;
  trigger: TriggerKey;
  deliveryId: string | null;
  headers: Record<string, string>;
  /** Parsed JSON, or the text as it came when it is not JSON. */
  body: unknown;
  rawBody: string;
  /** True when a repeat of the same delivery brought other bytes than the first. */
  bodyChanged: boolean;
  attempts: [Attempt, ...Attempt[]];
};

export type Notice = { id: string; tone: 'good' | 'bad'; title: string; text: string };

/** A connect that waits for the browser to come back from the consent page. */
export type PendingConnect = { codeVerifier: string; browserId: string; startedAt: Date };

/** All that the platform remembers; it is gone when the process ends. Maps keep the order of insertion. */
export type PlatformState = {
  connections: Map<string, Connection>;
  subscriptions: Map<string, Subscription>;
  /** Newest first. */
  events: ReceivedEvent[];
  notices: Map<string, Notice>;
  pendingConnects: Map<string, PendingConnect>;
};

/** An empty memory. */
export function emptyState(): PlatformState {
  return {
    connections: new Map(),
    subscriptions: new Map(),
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

const NOTICES_KEPT = 50;

/** Keeps a notice for the page that comes next, and answers the id by which that page asks for it. */
export function addNotice({ notices }: PlatformState, notice: Omit<Notice, 'id'>): string {
  const id = randomUUID();
  notices.set(id, { id, ...notice });
  trimOldest(notices, NOTICES_KEPT);
  return id;
}
