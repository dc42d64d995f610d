import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, realpath, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from '#scripts/tools/find-program.ts';
import { dataDirOf, projectDir, projectPath } from '#server/core/project.ts';
import { UserError } from '#server/core/user-error.ts';

const run = promisify(execFile);

/**
 * Separate storage for the drill's images and containers. The folder of a base image stays for the next run.
 */
const FOLDER = join(dataDirOf(process.env), 'drill-container');
const STORAGE = [
  ...['--root', join(FOLDER, 'storage')],
  ...['--runroot', join(FOLDER, 'run')],
  ...['--storage-driver', 'vfs'],
];
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt';
/** Folders that are empty in Debian's slim images. */
const NOT_IN_SLIM = [
  'usr/share/doc',
  'usr/share/locale',
  'usr/share/man',
  'var/cache/apt',
  'var/lib/apt/lists',
];
const OUTPUT_BYTES = 256 * 1024 * 1024;

const BUILDAH = await findProgram({ debianPackage: 'buildah', setting: 'BUILDAH_PATH' }, console.error);
const DEBOOTSTRAP = await findProgram(
  { debianPackage: 'debootstrap', setting: 'DEBOOTSTRAP_PATH' },
  console.error,
);

/** Required programs that are not installed and could not be installed. */
export const MISSING = [...(BUILDAH ? [] : ['buildah']), ...(DEBOOTSTRAP ? [] : ['debootstrap'])];

export type ImageConfig = { User: string; Entrypoint: string[]; StopSignal: string; Env: string[] };

/** Runs buildah on the drill's own storage, and returns what it wrote to standard output. */
export async function buildah(...args: string[]): Promise<string> {
  const { stdout } = await run(BUILDAH ?? '', [...STORAGE, ...args], { maxBuffer: OUTPUT_BYTES });
  return stdout.trim();
}

/**
 * Builds `Containerfile` on locally built base images with the names after FROM, as none can be downloaded.
 */
export async function buildImage(tag: string): Promise<void> {
  const containerfile = await readFile(projectPath('Containerfile'), 'utf8');
  const bases = [...containerfile.matchAll(/^FROM (\S+:\S+)/gm)].map(([, name = '']) => name);
  const debian = bases.find((name) => /^debian:/.test(name)) ?? '';
  const node = bases.find((name) => /^node:/.test(name)) ?? '';
  await makeDebian(debian);
  await makeNode(node, debian);
  await makePostgres(bases.find((name) => /^postgres:/.test(name)) ?? '', debian);
  const { stdout: registry } = await run('npm', ['config', 'get', 'registry']);
  await buildah(
    ...['bud', '--isolation', 'chroot', '--format', 'docker', '--pull=never', '--layers=false'],
    ...['--build-arg', `NPM_CONFIG_REGISTRY=${registry.trim()}`],
    ...(existsSync(AUTHORITIES) ? ['--volume', `${AUTHORITIES}:${AUTHORITIES}:ro`] : []),
    ...['--file', projectPath('Containerfile'), '--tag', tag, projectDir],
  );
}

async function makeDebian(name: string): Promise<void> {
  if (await hasImage(name)) return;
  const [suite = ''] = name.split(':')[1]?.split('-') ?? [];
  const folder = join(FOLDER, suite);
  if (!existsSync(folder)) {
    // Rename the complete folder: an interrupted run must not leave half of it.
    const draft = `${folder}.draft`;
    await rm(draft, { recursive: true, force: true });
    await mkdir(FOLDER, { recursive: true });
    await run(DEBOOTSTRAP ?? '', ['--variant=minbase', suite, draft], { maxBuffer: OUTPUT_BYTES });
    for (const unused of NOT_IN_SLIM) await empty(join(draft, unused));
    await rename(draft, folder);
  }
  const container = await buildah('from', 'scratch');
  await buildah('add', container, folder, '/');
  await buildah('commit', '--format', 'docker', '--rm', container, name);
}

async function empty(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
}

/** Builds an image with Node, as its npm package ships it, and the npm that runs this drill. */
async function makeNode(name: string, debian: string): Promise<void> {
  if (await hasImage(name)) return;
  const npm = process.env.npm_execpath;
  if (!npm) throw new UserError('npm is not known: run the drill as npm run drill -- container.');
  const folder = join(FOLDER, 'node');
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'bin'), { recursive: true });
  await cp(await realpath(process.execPath), join(folder, 'bin', 'node'));
  const packageFolder = dirname(dirname(await realpath(npm)));
  await cp(packageFolder, join(folder, 'lib', 'node_modules', 'npm'), { recursive: true, dereference: true });
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(folder, 'bin', 'npm'));
  const container = await buildah('from', '--pull=never', debian);
  await buildah('add', container, folder, '/usr/local');
  // npm must trust the certificate authorities of this machine, as its registry may be behind a private one.
  await buildah('config', '--env', `NODE_EXTRA_CA_CERTS=${AUTHORITIES}`, container);
  await buildah('commit', '--format', 'docker', '--rm', container, name);
}

/** Builds an image with Debian's `pg_dump`, which is older than the one of PostgreSQL's image. */
async function makePostgres(name: string, debian: string): Promise<void> {
  if (await hasImage(name)) return;
  const container = await buildah('from', '--pull=never', debian);
  const install = 'apt-get update && apt-get install -y --no-install-recommends postgresql-client';
  await buildah('run', '--isolation', 'chroot', container, '--', 'sh', '-c', install);
  await buildah('commit', '--format', 'docker', '--rm', container, name);
}

async function hasImage(name: string): Promise<boolean> {
  return await buildah('inspect', '--type', 'image', name).then(
    () => true,
    () => false,
  );
}

export async function readConfig(tag: string): Promise<ImageConfig & { Healthcheck?: { Test: string[] } }> {
  const { Docker } = JSON.parse(await buildah('inspect', '--type', 'image', tag));
  return Docker.config;
}

export type ContainerProcess = {
  output(): string;
  /** Sends SIGTERM to the image's init, as a container platform does, and resolves with the exit code. */
  stop(): Promise<number | null>;
  ended: Promise<number | null>;
};

/** Starts a command of the image with the image's entry point. `env` and `volumes` have buildah's format. */
export function startInContainer(
  container: string,
  { Entrypoint }: ImageConfig,
  command: string,
  { env, volumes }: { env: Record<string, string>; volumes: string[] },
): ContainerProcess {
  const args = [
    ...['run', '--isolation', 'chroot'],
    ...Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    ...volumes.flatMap((volume) => ['--volume', volume]),
    ...[container, '--', ...Entrypoint, command],
  ];
  const child = spawn(BUILDAH ?? '', [...STORAGE, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let written = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      written += chunk.toString();
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    output: () => written,
    ended,
    stop: async () => {
      const init = await findInit(child.pid ?? 0);
      if (init === undefined) child.kill('SIGTERM');
      else process.kill(init, 'SIGTERM');
      return await ended;
    },
  };
}

/** Finds `tini` among the descendants of a process: with chroot isolation it is an ordinary process of the machine. */
async function findInit(pid: number): Promise<number | undefined> {
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
  if (name.trim() === 'tini') return pid;
  const { stdout } = await run('pgrep', ['--parent', `${pid}`]).catch(() => ({ stdout: '' }));
  for (const child of stdout.split('\n').filter(Boolean).map(Number)) {
    const found = await findInit(child);
    if (found !== undefined) return found;
  }
  return undefined;
}
