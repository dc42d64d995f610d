import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Network of the simulated machines, from the address range for network tests (RFC 2544). */
const NETWORK = '198.18.79';
const BRIDGE = 'drill-ha';
/** Environment of each service. */
const ENVIRONMENT = ['PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'LANG=C.UTF-8'];
/** Address of the host in the network. */
const HOST = 1;

/** A program that runs on a machine as a service. */
export type Service = { command: string[]; user?: string };

/**
 * A simulated machine with a separate network, processes and mounts (Linux namespaces). Its processes end when it is stopped, or when this
 * process ends for any reason.
 */
export type Machine = {
  name: string;
  address: string;
  /** Runs a shell command as root and returns its output. */
  sh(command: string): Promise<string>;
  /** Starts a program, whose output is written to a file in the machine's folder. */
  start(name: string, service: Service): void;
  /** Sends a signal to all processes. */
  signalAll(name: 'KILL' | 'STOP' | 'CONT'): Promise<void>;
  /** Unplugs or plugs in the network: packets are lost in both directions. */
  unplug(): Promise<void>;
  plugIn(): Promise<void>;
  stop(): Promise<void>;
};

/** Creates the network, and removes the one of an earlier run. */
export async function createNetwork(): Promise<{ remove(): Promise<void> }> {
  const remove = () => run('ip', ['link', 'delete', BRIDGE]).then(() => undefined);
  await remove().catch(() => undefined);
  await run('ip', ['link', 'add', BRIDGE, 'type', 'bridge']);
  await run('ip', ['address', 'add', `${NETWORK}.${HOST}/24`, 'dev', BRIDGE]);
  await run('ip', ['link', 'set', BRIDGE, 'up']);
  return { remove };
}

/** Returns the reason if the host cannot create a network: a container without the privilege, or a kernel without bridges. */
export async function canCreateNetwork(): Promise<string | undefined> {
  return await createNetwork().then(
    (network) => network.remove().then(() => undefined),
    ({ message }: Error) => `the network of the machines cannot be created: ${message}`,
  );
}

export function addressOf(number: number): string {
  return `${NETWORK}.${number}`;
}

/**
 * Starts a machine in the network.
 * @param number last part of its address
 * @param folder folder for its logs
 */
export async function startMachine(name: string, number: number, folder: string): Promise<Machine> {
  const address = addressOf(number);
  await mkdir(folder, { recursive: true });
  const { init, pid } = await startInit();
  const [outside, inside] = [`${BRIDGE}-${number}`, `${BRIDGE}-${number}i`];
  // The kernel removes the interface of a stopped machine only after its last connection has timed out.
  const removeCable = () => run('ip', ['link', 'delete', outside]).catch(() => undefined);
  await removeCable();
  await run('ip', ['link', 'add', outside, 'type', 'veth', 'peer', 'name', inside]);
  await run('ip', ['link', 'set', outside, 'master', BRIDGE, 'up']);
  await run('ip', ['link', 'set', inside, 'netns', `${pid}`]);
  const enter = ['--target', `${pid}`, '--mount', '--net', '--pid', '--'];
  const started: ChildProcess[] = [];
  const sh = async (command: string) => {
    const { stdout } = await run('nsenter', [...enter, 'sh', '-c', command]);
    return stdout;
  };
  await sh(`ip link set lo up && ip address add ${address}/24 dev ${inside} && ip link set ${inside} up`);
  return {
    name,
    address,
    sh,
    start: (service, { command, user }) => {
      // Real machines do not share processors. Patroni and etcd give up when they get no processor time for seconds.
      const first = ['nice', '--adjustment=-10'];
      const as = user ? ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups'] : [];
      const child = spawn(
        'nsenter',
        [...enter, 'env', '--ignore-environment', ...ENVIRONMENT, ...first, ...as, ...command],
        {
          cwd: '/',
          stdio: ['ignore', 'pipe', 'pipe'],
        },
      );
      started.push(child);
      const log = createWriteStream(join(folder, `${service}.log`), { flags: 'a' });
      child.stdout.pipe(log, { end: false });
      child.stderr.pipe(log, { end: false });
    },
    // Linux does not signal the first process of a namespace, nor the caller.
    signalAll: async (signal) => {
      await sh(`kill -${signal} -1`);
      // `nsenter` stops together with its program, but does not continue with it.
      if (signal === 'CONT') for (const child of started) child.kill('SIGCONT');
    },
    unplug: () => run('ip', ['link', 'set', outside, 'down']).then(() => undefined),
    plugIn: () => run('ip', ['link', 'set', outside, 'up']).then(() => undefined),
    stop: async () => {
      const ended = once(init, 'exit');
      init.kill('SIGKILL');
      for (const child of started) child.kill('SIGKILL');
      await ended;
      await removeCable();
    },
  };
}

/** Starts the first process of a machine, which reaps orphans and ends with this process. Returns the process and its id. */
async function startInit(): Promise<{ init: ChildProcess; pid: number }> {
  const program = 'echo ready; while read -r _; do :; done';
  const init = spawn(
    'unshare',
    ['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc', 'bash', '-c', program],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  await once(init.stdout, 'data');
  const { stdout } = await run('pgrep', ['--parent', `${init.pid}`]);
  return { init, pid: Number(stdout.trim()) };
}
