import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  buildah,
  buildImage,
  type ContainerProcess,
  type ImageConfig,
  MISSING,
  readConfig,
  startInContainer,
} from '#bench/drills/container-image.ts';
import { figure, judge, notRun } from '#bench/drills/judge.ts';
import { startLab } from '#bench/lab/lab.ts';
import { seedDemoData } from '#prisma/seed.ts';
import { planStart } from '#scripts/start/demo-settings.ts';
import { startProgram } from '#scripts/tools/child-program.ts';
import { findFreePort } from '#scripts/tools/ports.ts';
import { connectPlatform, type PlatformClient } from '#test/clients/platform-client.ts';
import { until } from '#test/fixtures/until.ts';

// npm run drill -- container: builds Containerfile, runs migrate, web and worker from the image against a PostgreSQL outside of it,
// connects the stand-in platform, delivers events, and stops each process with SIGTERM while it works.
const run = promisify(execFile);
const TAG = 'localhost/shared-inbox:drill';
/** Upper bound of the image's files, in MB. */
const SIZE_MAX_MB = 600;
const EVENTS = 60;
/** Sign-ins hash a password each, one after the other, so that most are in flight when the first is answered. */
const SIGN_INS = 8;
/** A container platform kills a process later than this, in ms. */
const STOP_MS = 30_000;
const USER = { email: 'owner@demo.test', password: 'demo-password', workspace: 'Demo Growth' };
/** Secrets as files, as compose.yaml and the manifests have them. */
const SECRETS = {
  DATABASE_URL: '',
  SESSION_SECRET: 'a secret of the drill that is long enough',
  SECRETS_KEY: 'another secret of the drill that is long enough',
};
/** Paths that must not exist in the runtime image. */
const UNWANTED = [
  'app/node_modules/typescript',
  'app/node_modules/vitest',
  'app/node_modules/@next/swc-linux-x64-gnu',
  'root/.npm',
  'usr/bin/cc',
  'usr/bin/gcc',
  'usr/local/bin/npm',
  'usr/local/lib/node_modules',
];

if (process.platform !== 'linux' || process.getuid?.() !== 0 || MISSING.length > 0) {
  const why = MISSING.length > 0 ? `${MISSING.join(' and ')} is missing` : 'it needs Linux and root';
  notRun(`${why}.`);
} else {
  await drill();
}

async function drill(): Promise<void> {
  const startedAt = performance.now();
  await buildImage(TAG);
  figure(`built in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  const config = await readConfig(TAG);
  judgeConfig(config);
  const container = await buildah('from', '--pull=never', TAG);
  const root = await buildah('mount', container);
  try {
    await judgeFiles(root);
    const client = await buildah(
      'run',
      '--isolation',
      'chroot',
      container,
      '--',
      '/opt/postgresql/bin/pg_dump',
      '--version',
    );
    judge(`${client} runs`, client.startsWith('pg_dump (PostgreSQL)'));
    await runFromImage(container, config);
    await judgeWritten(root);
  } finally {
    await buildah('umount', container);
    await buildah('rm', container);
  }
}

function judgeConfig({ User, Entrypoint, StopSignal, Healthcheck }: Awaited<ReturnType<typeof readConfig>>) {
  judge(`processes run as ${User}`, User === '1000:1000');
  judge(`process 1 is ${Entrypoint[0]}`, Entrypoint[0] === '/usr/bin/tini');
  judge(`${StopSignal} stops it`, StopSignal === 'SIGTERM');
  judge('it has a health check', (Healthcheck?.Test.length ?? 0) > 1);
}

async function judgeFiles(root: string): Promise<void> {
  const { stdout } = await shell('du', ['--summarize', '--block-size=1000000', root]);
  const size = Number.parseInt(stdout, 10);
  judge(`the image has ${size} MB, at most ${SIZE_MAX_MB}`, size <= SIZE_MAX_MB);
  const found = await shell('find', [...UNWANTED.map((path) => join(root, path)), '-maxdepth', '0']);
  judge(`no package manager, compiler or development package (${found.stdout.trim()})`, found.stdout === '');
  const tests = await shell('find', [join(root, 'app', 'server'), '-name', '*.test.ts']);
  judge('no tests', tests.stdout === '');
}

/** Images mount the root read-only: nothing but the folders for data may have been written to. */
async function judgeWritten(root: string): Promise<void> {
  const others = ['tmp', 'data'].flatMap((name) => ['!', '-path', join(root, name, '*')]);
  const { stdout } = await shell('find', [root, '-xdev', '-type', 'f', '-uid', '1000', ...others]);
  judge(`nothing was written outside of /tmp and /data (${stdout.trim()})`, stdout === '');
}

async function runFromImage(container: string, config: ImageConfig): Promise<void> {
  const lab = await startLab();
  const folder = await mkdtemp(join(tmpdir(), 'drill-container-'));
  const [port = 0, platformPort = 0, hooksPort = 0, webMetrics = 0, workerMetrics = 0] = await freePorts(5);
  const plan = planStart(
    { PORT: `${port}`, PLATFORM_PORT: `${platformPort}`, PLATFORM_HOOKS_PORT: `${hooksPort}` },
    folder,
  );
  const platform = await startProgram('stand-ins/platform/main.ts', {
    ...plan.settings,
    PLATFORM_PORT: `${platformPort}`,
    PLATFORM_HOOKS_PORT: `${hooksPort}`,
  });
  const service = `http://localhost:${port}`;
  const platformUrl = `http://localhost:${platformPort}`;
  const databaseUrl = await lab.emptyDatabase('container');
  await writeSecrets(folder, databaseUrl);
  const env = {
    ...plan.settings,
    ...Object.fromEntries(
      Object.keys(SECRETS).map((name) => [`${name}_FILE`, `/run/secrets/${name.toLowerCase()}`]),
    ),
    PORT: `${port}`,
    BASE_URL: service,
    MAIL_DIR: '/data/mail',
    HOOKS_CA_FILE: '/run/platform/hooks-ca.pem',
    INBOUND_SMTP_PORT: '',
    SMTP_URL: '',
  };
  const volumes = [
    `${join(folder, 'secrets')}:/run/secrets:ro`,
    `${join(folder, 'platform')}:/run/platform:ro`,
  ];
  const start = (command: string, metrics: number) =>
    startInContainer(container, config, command, { env: { ...env, METRICS_PORT: `${metrics}` }, volumes });
  const running: ContainerProcess[] = [];
  try {
    const migration = start('migrate', webMetrics);
    const code = await migration.ended;
    if (code !== 0) throw new Error(`migrate ended with ${code}:\n${migration.output()}`);
    judge('migrate ends with 0', true);
    await seedDemoData(databaseUrl, null);
    const web = start('web', webMetrics);
    const worker = start('worker', workerMetrics);
    running.push(web, worker);
    await untilHealthy('web', web, webMetrics);
    await untilHealthy('worker', worker, workerMetrics);
    await until('the server listens', async () =>
      fetch(`${service}/healthz`).then(
        (response) => response.ok,
        () => false,
      ),
    );
    judge('health checks of web and worker pass', true);
    const client = await connectPlatform(service, platformUrl, USER);
    await client.turnOn('conversation.created');
    await create(client, 1);
    await until('an event has arrived', async () => (await client.events()).length === 1);
    judge('the platform is connected and an event arrived', true);
    const next = await judgeWorkerStop(client, worker, () => start('worker', workerMetrics));
    running.push(next);
    await judgeWebStop(service, web);
    await untilHealthy('the second worker', next, workerMetrics);
    const nextCode = await stopInTime(next);
    judge(`the second worker ends with 0 (${nextCode})`, nextCode === 0);
  } finally {
    // Optional output for debugging (bench/README.md).
    if (process.env.DRILL_OUTPUT) for (const { output } of running) console.log(output());
    await Promise.all(running.map((each) => each.stop()));
    await platform.stop();
    await lab.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Stops the worker in the middle of deliveries: each must arrive exactly once, from it or from the next worker. */
async function judgeWorkerStop(
  client: PlatformClient,
  worker: ContainerProcess,
  startNext: () => ContainerProcess,
): Promise<ContainerProcess> {
  const creating = create(client, EVENTS);
  await until('deliveries are in flight', async () => (await client.events()).length > EVENTS / 4);
  const code = await stopInTime(worker);
  judge(`a worker that delivers ends with 0 (${code})`, code === 0);
  const next = startNext();
  await creating;
  const all = EVENTS + 1;
  await until('all events have arrived', async () => (await client.events()).length === all);
  const repeated = (await client.events()).filter(({ received_count }) => received_count !== 1);
  judge(`${all} events arrived, ${repeated.length} of them more than once`, repeated.length === 0);
  return next;
}

/** Stops the server while most requests wait for their response: all must get it. */
async function judgeWebStop(service: string, web: ContainerProcess): Promise<void> {
  const requests = Array.from({ length: SIGN_INS }, () =>
    fetch(`${service}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: service },
      body: JSON.stringify(USER),
    }).then(
      ({ status }) => status,
      (error: unknown) => String(error),
    ),
  );
  await Promise.race(requests);
  const stopping = stopInTime(web);
  const statuses = await Promise.all(requests);
  const code = await stopping;
  judge(
    `requests in flight are answered (${statuses.join(', ')})`,
    statuses.every((status) => status === 200),
  );
  judge(`a server ends with 0 (${code})`, code === 0);
}

async function stopInTime(running: ContainerProcess): Promise<number | null | 'late'> {
  const late = new Promise<'late'>((resolve) => setTimeout(resolve, STOP_MS, 'late').unref());
  return await Promise.race([running.stop(), late]);
}

async function create(client: PlatformClient, count: number): Promise<void> {
  const statuses = await Promise.all(
    Array.from({ length: count }, (_, at) =>
      client.run('create-conversation', {
        to_email: `drill-${at}@example.com`,
        subject: `Drill ${at}`,
        content: 'A conversation of the drill.',
      }),
    ),
  );
  const refused = statuses.filter((status) => status !== 201);
  if (refused.length > 0) throw new Error(`${refused.length} of ${count} changes were refused: ${refused}.`);
}

async function untilHealthy(name: string, running: ContainerProcess, port: number): Promise<void> {
  let code: number | null | undefined;
  void running.ended.then((ended) => {
    code = ended;
  });
  await until(`${name} is healthy`, async () => {
    if (code !== undefined) throw new Error(`${name} ended with ${code}:\n${running.output()}`);
    return await fetch(`http://127.0.0.1:${port}/health`).then(
      (response) => response.ok,
      () => false,
    );
  });
}

async function writeSecrets(folder: string, databaseUrl: string): Promise<void> {
  await mkdir(join(folder, 'secrets'), { recursive: true });
  for (const [name, value] of Object.entries({ ...SECRETS, DATABASE_URL: databaseUrl })) {
    await writeFile(join(folder, 'secrets', name.toLowerCase()), value);
  }
  // The image's user reads them.
  await chmod(folder, 0o755);
}

async function shell(program: string, args: string[]): Promise<{ stdout: string }> {
  return await run(program, args).catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }));
}

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await findFreePort());
  return [...ports];
}
