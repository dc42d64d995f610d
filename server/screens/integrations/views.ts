export type {
  AuditEntryView,
  EndedConnectionView,
  HistoryPage,
} from '#server/screens/integrations/history-views.ts';

import type { Role } from '#server/generated/prisma/enums.ts';
import type { ConnectionHealth, HookHealth } from '#server/screens/integrations/hooks-views.ts';

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
