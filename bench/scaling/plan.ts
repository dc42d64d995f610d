import type { Costs } from '#bench/scaling/costs.ts';

/**
 * What a connected workspace does, by assumption: a team of ten with four hundred changes a day that workflows listen for. Who
 * knows their own numbers puts them here.
 */
export const WORKSPACE = {
  changesPerDay: 400,
  /** Hooks that a change goes to, on average. */
  deliveriesPerChange: 1.5,
  readsPerDay: 200,
  searchesPerDay: 150,
  /** An access token lives for two hours. */
  refreshesPerDay: 12,
} as const;

/** What the busiest hour has of a day. */
export const BUSIEST_HOUR = 0.2;
/** How busy a processor may be at that hour: beyond it waiting grows faster than work. */
export const BUSY_MOST = 0.6;
/** For how long history is kept, in days (`HISTORY_DAYS`). */
export const HISTORY_DAYS = 14;

export type Rates = Record<'read' | 'search' | 'change' | 'refresh' | 'delivery', number>;

/** What an installation needs at its busiest hour. */
export type Plan = {
  /** A second. */
  rates: Rates;
  /** Processors that are busy: of all servers, of all workers, of PostgreSQL. */
  busy: { servers: number; workers: number; postgres: number };
  /** Processors to have, so that none is busier than it may be. */
  cores: { servers: number; workers: number; postgres: number };
  historyGigabytes: number;
};

/** How many a second at the busiest hour. */
export function ratesOf(workspaces: number): Rates {
  const atPeak = (perDay: number) => (workspaces * perDay * BUSIEST_HOUR) / 3_600;
  return {
    read: atPeak(WORKSPACE.readsPerDay),
    search: atPeak(WORKSPACE.searchesPerDay),
    // A change of a teammate or a contact costs about what one of the platform does.
    change: atPeak(WORKSPACE.changesPerDay),
    refresh: atPeak(WORKSPACE.refreshesPerDay),
    delivery: atPeak(WORKSPACE.changesPerDay * WORKSPACE.deliveriesPerChange),
  };
}

/** The arithmetic of docs/scaling.md. */
export function planFor(workspaces: number, costs: Costs): Plan {
  const rates = ratesOf(workspaces);
  const requests = ['read', 'search', 'change', 'refresh'] as const;
  const sum = (kinds: readonly (keyof Rates)[], part: 'processMs' | 'postgresMs') =>
    kinds.reduce((all, kind) => all + (rates[kind] * costs[kind][part]) / 1_000, 0);
  const busy = {
    servers: sum(requests, 'processMs'),
    workers: sum(['delivery'], 'processMs'),
    postgres: sum([...requests, 'delivery'], 'postgresMs'),
  };
  const cores = (value: number) => Math.max(1, Math.ceil(value / BUSY_MOST));
  const { changesPerDay, deliveriesPerChange } = WORKSPACE;
  const bytesPerDay = changesPerDay * (costs.eventBytes + deliveriesPerChange * costs.deliveryBytes);
  return {
    rates,
    busy,
    cores: {
      servers: cores(busy.servers),
      workers: cores(busy.workers),
      postgres: cores(busy.postgres),
    },
    historyGigabytes: (workspaces * bytesPerDay * HISTORY_DAYS) / 1e9,
  };
}
