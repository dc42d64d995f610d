import type { EmbeddedPostgres } from '#scripts/postgres/embedded-postgres.ts';
import { keepRunning, type Service, type ServiceOptions } from '#scripts/start/service.ts';
import { aborted } from '#scripts/tools/stop-request.ts';

export type Supervisor = {
  /**
   * Starts a service. Resolves when it is ready, rejects when `signal` aborts first. Services with a lower `stopsAt`
   * stop first.
   */
  run(options: ServiceOptions, stopsAt: number, signal: AbortSignal): Promise<void>;
  /** Adds a PostgreSQL, which may still be starting. It stops last. */
  own(postgres: Promise<EmbeddedPostgres>): Promise<EmbeddedPostgres>;
  stop(forced: AbortSignal): Promise<void>;
};

/** Longer than a delivery may take. */
const DRAIN_MS = 25_000;

/** Creates a supervisor. If this process is killed, its services end, and the next start adopts PostgreSQL. */
export function openSupervisor(): Supervisor {
  const services: { service: Promise<Service>; stopsAt: number }[] = [];
  let postgres: Promise<EmbeddedPostgres> | undefined;
  return {
    run: async (options, stopsAt, signal) => {
      const service = keepRunning(options);
      services.push({ service, stopsAt });
      await Promise.race([(await service).ready, aborted(signal)]);
      signal.throwIfAborted();
    },
    own: (starting) => {
      postgres = starting;
      return starting;
    },
    stop: async (forced) => {
      for (const stopsAt of new Set(services.map((each) => each.stopsAt).sort((a, b) => a - b))) {
        const group = services.filter((each) => each.stopsAt === stopsAt);
        await Promise.allSettled(group.map(async ({ service }) => (await service).stop(DRAIN_MS, forced)));
      }
      await postgres?.then((server) => server.stop()).catch(() => undefined);
    },
  };
}
