import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  addressOf,
  canCreateNetwork,
  createNetwork,
  type Machine,
  startMachine,
} from '#bench/drills/ha-machine.ts';
import { projectPath } from '#server/core/project.ts';
import { until } from '#test/fixtures/until.ts';

/** Three machines with PostgreSQL, and one with haproxy and PgBouncer, from the files in deploy/ha. */
export type Cluster = {
  /** The database through haproxy, and through PgBouncer and haproxy. */
  url: string;
  pooledUrl: string;
  /** Standbys through haproxy. */
  replicaUrl: string;
  /** Returns the primary, once the cluster is complete: with a synchronous standby and another one. */
  whole(): Promise<Machine>;
  /** Returns whether a machine calls itself the primary. */
  isPrimary(machine: Machine): Promise<boolean>;
  others(machine: Machine): Machine[];
  /** Starts the services of a database machine that was killed. */
  startServices(machine: Machine): void;
  /** Runs `work` while the service's role is a superuser. */
  asSuperuser<T>(work: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
};

/** Debian's packages, with a file of each. */
const PACKAGES = {
  'postgresql-15': '/usr/lib/postgresql/15/bin/postgres',
  patroni: '/usr/bin/patroni',
  'python3-etcd': '/usr/lib/python3/dist-packages/etcd',
  'etcd-server': '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
  pgbouncer: '/usr/sbin/pgbouncer',
  iproute2: '/bin/ip',
};

/** Returns what the host lacks to run a cluster, with the command that installs it. */
export async function missingPrograms(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    return 'it needs root on Linux to create namespaces.';
  }
  const missing = Object.entries(PACKAGES).filter(([, file]) => !existsSync(file));
  if (missing.length > 0) {
    const names = missing.map(([name]) => name).join(' ');
    return `missing on this machine: apt-get install --no-install-recommends ${names}`;
  }
  return await canCreateNetwork();
}

const DATABASES = ['db1', 'db2', 'db3'];
const FIRST = 11;
const CLIENT = 10;
const PASSWORD = 'drill';

/** @param folder for data and logs, which PostgreSQL's user can enter */
export async function startCluster(folder: string): Promise<Cluster> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o755 });
  const network = await createNetwork();
  const machines: Machine[] = [];
  const stop = async () => {
    await Promise.all(machines.map((each) => each.stop()));
    await network.remove();
    // The logs stay.
    const data = DATABASES.flatMap((name) => [join(folder, name, 'postgresql'), join(folder, name, 'etcd')]);
    await Promise.all(data.map((each) => rm(each, { recursive: true, force: true })));
  };
  try {
    for (const [index, name] of DATABASES.entries()) {
      const machine = await startMachine(name, FIRST + index, join(folder, name));
      machines.push(machine);
      await installDatabase(machine, join(folder, name));
      startServices(machine);
    }
    const databases = [...machines];
    const client = await startMachine('client', CLIENT, join(folder, 'client'));
    machines.push(client);
    await installClient(client, join(folder, 'client'));
    const url = (port: number) => `postgresql://inbox:${PASSWORD}@${client.address}:${port}/inbox`;
    const whole = () =>
      until('the cluster has a primary and two standbys', async () => {
        for (const machine of databases) {
          if (!(await isPrimary(machine))) continue;
          const states = await standbysOf(machine);
          const isComplete = states.length === 2 && states.includes('sync');
          return isComplete ? machine : undefined;
        }
      });
    await whole();
    return {
      url: url(5432),
      replicaUrl: url(5433),
      pooledUrl: url(6432),
      whole,
      isPrimary,
      others: (machine) => databases.filter((each) => each !== machine),
      startServices,
      asSuperuser: async (work) => {
        const primary = await whole();
        const alter = (option: string) =>
          primary.sh(`su postgres -c 'psql --quiet --command="alter role inbox ${option}"'`);
        await alter('superuser');
        const result = await work();
        await alter('nosuperuser');
        return result;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Reads a file of deploy/ha and fills in the settings, as envsubst does. */
async function fill(file: string, { name, address }: Pick<Machine, 'name' | 'address'>): Promise<string> {
  const settings: Record<string, string> = {
    NAME: name,
    ADDRESS: address,
    CLIENTS: `${addressOf(0)}/24`,
    ...Object.fromEntries(DATABASES.map((each, index) => [each.toUpperCase(), addressOf(FIRST + index)])),
  };
  const text = await readFile(projectPath('deploy', 'ha', file), 'utf8');
  return text.replaceAll(/\$\{(\w+)\}/g, (_, key: string) => settings[key] ?? PASSWORD);
}

/** Mounts the files of a database machine where Debian's packages read them. */
async function installDatabase(machine: Machine, folder: string): Promise<void> {
  const etc = join(folder, 'etc');
  await mkdir(etc, { recursive: true });
  await writeFile(join(etc, 'config.yml'), await fill('patroni.yml', machine));
  await writeFile(join(etc, 'create-database.sh'), await fill('create-database.sh', machine));
  await writeFile(join(etc, 'etcd'), await fill('etcd.env', machine));
  await chmod(join(etc, 'create-database.sh'), 0o755);
  await machine.sh(`
    mkdir -p ${folder}/postgresql ${folder}/etcd
    chown postgres: ${folder}/postgresql && chown etcd: ${folder}/etcd
    mount --bind ${folder}/postgresql /var/lib/postgresql
    mount --bind ${folder}/etcd /var/lib/etcd
    mount --bind ${etc} /etc/patroni
    mount -t tmpfs tmpfs /var/run/postgresql && chown postgres: /var/run/postgresql`);
}

function startServices(machine: Machine): void {
  const environment = 'set -a; . /etc/patroni/etcd; exec etcd';
  machine.start('etcd', { command: ['sh', '-c', environment], user: 'etcd' });
  machine.start('patroni', { command: ['patroni', '/etc/patroni/config.yml'], user: 'postgres' });
}

/** Lets haproxy and PgBouncer listen on all addresses, because the service runs outside the machine here. */
function openToNetwork(file: string): string {
  return file.replaceAll('bind 127.0.0.1:', 'bind :').replace('listen_addr = 127.0.0.1', 'listen_addr = *');
}

async function installClient(machine: Machine, folder: string): Promise<void> {
  const etc = join(folder, 'etc');
  await mkdir(etc, { recursive: true });
  await writeFile(join(etc, 'haproxy.cfg'), openToNetwork(await fill('haproxy.cfg', machine)));
  await writeFile(join(etc, 'pgbouncer.ini'), openToNetwork(await fill('pgbouncer.ini', machine)));
  await writeFile(join(etc, 'userlist.txt'), `"inbox" "${PASSWORD}"\n`);
  await machine.sh(`mount --bind ${etc} /etc/pgbouncer`);
  machine.start('haproxy', { command: ['haproxy', '-db', '-f', '/etc/pgbouncer/haproxy.cfg'] });
  machine.start('pgbouncer', { command: ['pgbouncer', '/etc/pgbouncer/pgbouncer.ini'], user: 'postgres' });
}

const ASK_MS = 2_000;

async function isPrimary({ address }: Machine): Promise<boolean> {
  return await fetch(`http://${address}:8008/primary`, { signal: AbortSignal.timeout(ASK_MS) }).then(
    async (response) => {
      await response.body?.cancel();
      return response.ok;
    },
    () => false,
  );
}

/** Returns `sync` or `async` for each standby that receives from a primary. */
async function standbysOf({ address }: Machine): Promise<string[]> {
  try {
    const response = await fetch(`http://${address}:8008/`, { signal: AbortSignal.timeout(ASK_MS) });
    const { replication = [] } = (await response.json()) as {
      replication?: { state: string; sync_state: string }[];
    };
    return replication.filter(({ state }) => state === 'streaming').map(({ sync_state }) => sync_state);
  } catch {
    return [];
  }
}
