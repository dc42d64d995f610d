import type { Costs } from '#bench/scaling/costs.ts';

/**
 * Assumed daily work of a connected workspace: a team of ten with four hundred changes that workflows listen
 * for. Replace the numbers with your own.
 */
export const WORKSPACE = {
  changesPerDay: 400,
  deliveriesPerChange: 1.5,
  readsPerDay: 200,
  searchesPerDay: 150,
  /** An access token lives for two hours. */
  refreshesPerDay: 12,
} as const;

/** Share of a day's work in the busiest hour. */
export const BUSIEST_HOUR = 0.2;
/** Maximum utilization of a processor in that hour: above it, waiting time grows faster than work. */
export const BUSY_MOST = 0.6;
/** Retention of history, in days (`HISTORY_DAYS`). */
export const HISTORY_DAYS = 14;

export type Rates = Record<'read' | 'search' | 'change' | 'refresh' | 'delivery', number>;

/** Resources of an installation in its busiest hour. */
export type Plan = {
  /** Per second. */
  rates: Rates;
  /** Busy processors of all servers, all workers, and PostgreSQL. */
  busy: { servers: number; workers: number; postgres: number };
  /** Processors to provide, so that none exceeds `BUSY_MOST`. */
  cores: { servers: number; workers: number; postgres: number };
  historyGigabytes: number;
};

export function ratesOf(workspaces: number): Rates {
  const atPeak = (perDay: number) => (workspaces * perDay * BUSIEST_HOUR) / 3_600;
  return {
    read: atPeak(WORKSPACE.readsPerDay),
    search: atPeak(WORKSPACE.searchesPerDay),
    // A change by a teammate or contact costs about as much as one by the platform.
    change: atPeak(WORKSPACE.changesPerDay),
    refresh: atPeak(WORKSPACE.refreshesPerDay),
    delivery: atPeak(WORKSPACE.changesPerDay * WORKSPACE.deliveriesPerChange),
  };
}

/** Computes the plan of docs/scaling.md. */
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
