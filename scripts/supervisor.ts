import type { FolderClaim } from '#scripts/claim-folder.ts';
import type { EmbeddedPostgres } from '#scripts/embedded-postgres.ts';
import { type KeepOptions, type KeptService, keepRunning } from '#scripts/keep-running.ts';
import { identityOf } from '#scripts/processes.ts';
import type { RecordedProcess } from '#scripts/run-record.ts';
import { aborted } from '#scripts/stop-request.ts';

/** Everything that was started, so that it can be stopped whatever came in between. */
export type Supervisor = {
  /** Starts a service; resolves when it is ready, rejects when `signal` is aborted before. Services of a lower `stopsAt` are stopped first. */
  run(options: Omit<KeepOptions, 'onStart'>, stopsAt: number, signal: AbortSignal): Promise<void>;
  /** Hands over a PostgreSQL, also one that is still starting: it is stopped last. */
  own(postgres: Promise<EmbeddedPostgres>): Promise<EmbeddedPostgres>;
  stop(hurried: AbortSignal): Promise<void>;
};

/** Opens a supervisor that writes down its processes in the data folder. */
export function openSupervisor(claim: FolderClaim): Supervisor {
  const services: { service: Promise<KeptService>; stopsAt: number }[] = [];
  let postgres: Promise<EmbeddedPostgres> | undefined;
  let writing = Promise.resolve();

  const writeDown = () => {
    writing = writing.then(async () => claim.record(await recordAll(services))).catch(() => undefined);
  };

  return {
    run: async (options, stopsAt, signal) => {
      const service = keepRunning({ ...options, onStart: writeDown });
      services.push({ service, stopsAt });
      const kept = await service;
      writeDown();
      await Promise.race([kept.ready, aborted(signal)]);
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
      await writing;
    },
  };
}

async function recordAll(services: { service: Promise<KeptService> }[]): Promise<RecordedProcess[]> {
  const started = await Promise.allSettled(services.map(({ service }) => service));
  const kept = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  return await Promise.all(
    kept.map(async (service) => {
      const pid = service.pid();
      return { name: service.name, pid, identity: (await identityOf(pid)) ?? '' };
    }),
  );
}

/** Longer than a delivery may take, so that none is broken off. */
const DRAIN_MS = 25_000;
