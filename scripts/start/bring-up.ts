import { join } from 'node:path';
import { migrate } from '#prisma/migrate.ts';
import { startEmbeddedPostgres, withClient } from '#scripts/postgres/embedded-postgres.ts';
import type { StartPlan } from '#scripts/start/demo-settings.ts';
import {
  checkSettings,
  fillInSecrets,
  GENERATED_SECRETS,
  writeRunningAddress,
} from '#scripts/start/fill-in-settings.ts';
import type { Supervisor } from '#scripts/start/supervisor.ts';
import { buildScreens } from '#scripts/tools/build-screens.ts';
import { generateClient } from '#scripts/tools/generate-client.ts';
import { runToolOrFail } from '#scripts/tools/run-tool.ts';
import { runStep, type StepContext } from '#scripts/tools/steps.ts';
import { UserError } from '#server/core/user-error.ts';

/**
 * Starts everything, each part as soon as its dependencies are ready. A failure aborts the others. The supervisor's
 * owner stops what was started.
 */
export async function bringUp(
  plan: StartPlan,
  dataDir: string,
  supervisor: Supervisor,
  requested: AbortSignal,
): Promise<void> {
  const env: NodeJS.ProcessEnv = { ...process.env, ...plan.settings, NODE_ENV: 'production' };
  if (plan.embedded) {
    await fillInSecrets(env, dataDir);
    await writeRunningAddress(dataDir, plan.baseUrl);
  } else await checkSettings(env);

  const failed = new AbortController();
  const signal = AbortSignal.any([requested, failed.signal]);
  const step = <T>(label: string, work: (context: StepContext) => Promise<T>) => runStep(label, work, signal);
  const service = (name: string, file: string, stopsAt: number, own: Record<string, string> = {}) =>
    step(capitalized(name), async ({ note }) => {
      const logFile = join(dataDir, 'log', `${name.replaceAll(' ', '-')}.log`);
      const foreign = name === STAND_IN || name === PROVIDERS;
      const itsEnv = foreign ? { ...env, DATABASE_URL: undefined, ...NO_SECRETS } : env;
      await supervisor.run(
        { name, file, env: { ...itsEnv, ...own }, logFile, restarts: !foreign },
        stopsAt,
        signal,
      );
      note('ready');
    });

  const client = step('Prisma client', async ({ note, slow }) => {
    note((await generateClient(() => slow('generating'), signal)) ? 'generated' : 'unchanged');
  });
  const screens = client.then(() =>
    step('Screens', async ({ note, slow }) => {
      note((await buildScreens(() => slow('building, about a minute'), signal)) ? 'built' : 'unchanged');
    }),
  );
  const database = plan.embedded
    ? step('PostgreSQL', async ({ note }) => {
        const settings = { max_connections: 200 };
        const dir = join(dataDir, 'postgres');
        const postgres = await supervisor.own(startEmbeddedPostgres({ dataDir: dir, settings }));
        await postgres.ensureDatabase('inbox');
        env.DATABASE_URL = postgres.url('inbox');
        note(`on port ${postgres.port}${postgres.folder === dir ? '' : `, in ${postgres.folder}`}`);
      })
    : Promise.resolve();
  const migrated = database.then(() =>
    step('Migrations', async ({ note }) => {
      const { applied } = await migrate(env.DATABASE_URL ?? '').catch((error: unknown) => {
        throw plan.embedded ? withRemedy(error, join(dataDir, 'postgres')) : error;
      });
      note(applied.length === 0 ? 'none pending' : `applied ${applied.length}`);
    }),
  );
  const seeded = plan.embedded
    ? Promise.all([client, migrated]).then(() =>
        step('Demo data', async ({ note }) => note(await loadDemoData(env, signal))),
      )
    : Promise.resolve();
  const platform = plan.standIn ? service(STAND_IN, 'stand-ins/platform/main.ts', 0) : Promise.resolve();
  const providers = plan.providers ? service(PROVIDERS, 'stand-ins/providers/main.ts', 2) : Promise.resolve();
  const server = Promise.all([screens, migrated]).then(() => service('server', 'server/main.ts', 1));
  // The worker reads the stand-in's certificate authority at its start.
  const worker = Promise.all([client, migrated, platform]).then(() =>
    service(
      'worker',
      'worker/main.ts',
      1,
      plan.metricsPorts ? { METRICS_PORT: `${plan.metricsPorts.worker}` } : {},
    ),
  );

  const parts = [client, screens, database, migrated, seeded, platform, providers, server, worker];
  try {
    await Promise.all(parts);
  } catch (error) {
    failed.abort();
    await Promise.allSettled(parts);
    throw error;
  }
}

/** Loads the demo data into a database without workspaces. Returns the text of its line. */
async function loadDemoData(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<string> {
  // Starting the seed program takes most of a second, so check here.
  const any = await withClient(env.DATABASE_URL, (client) =>
    client.query('select 1 from workspaces limit 1'),
  );
  if (any.rowCount !== 0) return 'already there';
  await runToolOrFail('prisma/seed.ts', [], 'The demo data could not be loaded: see above.', { env, signal });
  return 'loaded';
}

/** Adds to an error of the embedded database that its data can be deleted. */
function withRemedy(error: unknown, folder: string): unknown {
  if (!(error instanceof UserError)) return error;
  return new UserError(`${error.message}\nIf its data is not needed, remove ${folder} and start again.`);
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const NO_SECRETS = Object.fromEntries(Object.keys(GENERATED_SECRETS).map((name) => [name, undefined]));

/** Separate from the service: it gets no secrets, and a restart would change its certificate. */
const STAND_IN = 'stand-in platform';
const PROVIDERS = 'stand-in providers';
