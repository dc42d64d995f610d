import type { EmbeddedPostgres } from '#scripts/postgres/embedded-postgres.ts';
import { keepRunning, type Service, type ServiceOptions } from '#scripts/start/service.ts';
import { aborted } from '#scripts/tools/stop-request.ts';

/** Everything that was started, so that it can be stopped whatever came in between. */
export type Supervisor = {
  /**
   * Starts a service; resolves when it is ready, rejects when `signal` is aborted before. Services of a lower
   * `stopsAt` are stopped first.
   */
  run(options: ServiceOptions, stopsAt: number, signal: AbortSignal): Promise<void>;
  /** Hands over a PostgreSQL, also one that is still starting: it is stopped last. */
  own(postgres: Promise<EmbeddedPostgres>): Promise<EmbeddedPostgres>;
  stop(hurried: AbortSignal): Promise<void>;
};

/** Longer than a delivery may take, so that none is broken off. */
const DRAIN_MS = 25_000;

/** Opens a supervisor. When this process is killed, its services notice and end, and the next start adopts PostgreSQL. */
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
    stop: async (hurried) => {
      for (const stopsAt of new Set(services.map((each) => each.stopsAt).sort((a, b) => a - b))) {
        const group = services.filter((each) => each.stopsAt === stopsAt);
        await Promise.allSettled(group.map(async ({ service }) => (await service).stop(DRAIN_MS, hurried)));
      }
      await postgres?.then((server) => server.stop()).catch(() => undefined);
    },
  };
}
