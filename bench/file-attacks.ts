import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage, request } from 'node:http';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { migrate } from '#prisma/migrate.ts';
import { startEmbeddedPostgres } from '#scripts/postgres/embedded-postgres.ts';
import { lock } from '#scripts/start/lock.ts';
import { dataDirOf, projectDir } from '#scripts/tools/project.ts';
import { chatClient, viewOf } from '#test/chat-client.ts';
import { setTestSettings } from '#test/settings.ts';
import { newAddress } from '#test/sign-in.ts';

// node bench/file-attacks.ts [folder]: what attackers of the web chat's files cost a server, in memory and in the time
// that others wait; `folder` is the checkout of another version, to compare with. Everything runs on 127.0.0.1, for a
// minute.
const MB = 1024 * 1024;
const WORKSPACE = '00000000-0000-7000-8000-000000000001';

const version = resolve(process.argv[2] ?? projectDir);
const dataDir = join(dataDirOf(process.env), 'bench-postgres');
const taken = await lock(dataDir);
if ('heldBy' in taken) throw new Error('Another benchmark is running.');
const postgres = await startEmbeddedPostgres({ dataDir });
const name = `bench_files_${Date.now()}`;
try {
  await postgres.ensureDatabase(name);
  const url = postgres.url(name);
  await migrate(url, join(version, 'prisma', 'migrations'));
  setTestSettings({ DATABASE_URL: url });
  const db = new Client({ connectionString: url });
  db.on('error', () => undefined);
  await db.connect();
  await db.query(`insert into workspaces (id, name, plan) values ($1, 'A', 'growth')`, [WORKSPACE]);
  for (const attack of [halfSentBodies, unreadDownloads, parallelUploads]) {
    const server = await startServer();
    try {
      await attack(server);
    } finally {
      await server.stop();
    }
  }
  await db.end();
} finally {
  await postgres.stop();
  await taken.release();
}

type Server = { url: string; residentMb(): number; stop(): Promise<unknown> };

async function startServer(): Promise<Server> {
  const child = spawn(process.execPath, ['test/serve.ts'], {
    cwd: version,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [port] = await once(child, 'message');
  const resident = () => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)])) / 1024;
  return {
    url: `http://127.0.0.1:${port}`,
    residentMb: resident,
    stop: () => {
      const ended = once(child, 'close');
      child.kill('SIGKILL');
      return ended;
    },
  };
}

async function makeVisitor({ url }: Server, address = newAddress()) {
  const { body } = await chatClient(url).post('visitors', { workspaceId: WORKSPACE });
  const { token } = body as { token: string };
  return { token, ...chatClient(url, { token, address }) };
}

/** The largest of what is looked at until `work` is done, and for `andMs` after it. */
async function largestDuring(look: () => number, work: () => Promise<unknown>, andMs = 0): Promise<number> {
  let largest = look();
  const timer = setInterval(() => {
    largest = Math.max(largest, look());
  }, 250);
  try {
    await work();
    await pause(andMs);
  } finally {
    clearInterval(timer);
  }
  return Math.max(largest, look());
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

/** Whether more can be sent; a server that takes nothing in is not waited for. */
function isDrained(req: ClientRequest): Promise<boolean> {
  return new Promise((done) => {
    req.once('drain', () => done(true)).once('close', () => done(false));
    setTimeout(() => done(false), 5_000);
  });
}

/** 80 bodies of 20 MB from one address, of which the last byte is never sent. */
async function halfSentBodies(server: Server): Promise<void> {
  const address = newAddress();
  const visitors = await Promise.all(Array.from({ length: 4 }, () => makeVisitor(server, address)));
  const before = server.residentMb();
  const open: ClientRequest[] = [];
  const statuses = new Map<number, number>();
  const send = async (token: string) => {
    const req = request(`${server.url}/api/chat/messages`, {
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${token}`,
        'x-forwarded-for': address,
        'content-type': 'multipart/form-data; boundary=b',
        'content-length': 20 * MB,
      },
    });
    open.push(req);
    // Each piece waits for the one before.
    req.setMaxListeners(0).on('error', () => undefined);
    req.on('response', (res) => {
      res.resume();
      statuses.set(res.statusCode ?? 0, (statuses.get(res.statusCode ?? 0) ?? 0) + 1);
    });
    const head = 'Content-Disposition: form-data; name="files"; filename="';
    req.write(`--b\r\n${head}a"\r\n\r\n`);
    const piece = Buffer.alloc(MB);
    for (let sent = 0; sent < 19; sent += 1) {
      if (sent === 9) req.write(`\r\n--b\r\n${head}b"\r\n\r\n`);
      if (!req.write(piece) && !(await isDrained(req))) return;
    }
  };
  const work = () =>
    Promise.all(visitors.flatMap(({ token }) => Array.from({ length: 20 }, () => send(token))));
  const largest = await largestDuring(server.residentMb, work, 3_000);
  console.log(
    `80 half-sent bodies: ${Math.round(before)} MB before, ${Math.round(largest)} MB at most; refused: ${JSON.stringify(Object.fromEntries(statuses))}`,
  );
  for (const req of open) req.destroy();
}

/** 60 downloads of 10 MB by 20 visitors, none of which is read. */
async function unreadDownloads(server: Server): Promise<void> {
  const visitors: { token: string; id: string | undefined }[] = [];
  for (let i = 0; i < 20; i += 1) {
    const { token, write } = await makeVisitor(server);
    const view = viewOf(await write({ files: [new File([Buffer.alloc(10 * MB)], 'a.bin')] }));
    visitors.push({ token, id: view.messages[0]?.attachments[0]?.id });
  }
  await pause(2_000);
  const before = server.residentMb();
  const open: IncomingMessage[] = [];
  const ask = ({ token, id }: (typeof visitors)[number]) =>
    new Promise<void>((done) => {
      const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': newAddress() };
      get(`${server.url}/api/chat/attachments/${id}`, { headers, agent: false }, (res) => {
        open.push(res.on('error', () => undefined));
        done();
      }).on('error', () => done());
    });
  const work = () => Promise.all(visitors.flatMap((visitor) => [ask(visitor), ask(visitor), ask(visitor)]));
  const largest = await largestDuring(server.residentMb, work, 3_000);
  console.log(
    `${open.length} unread downloads: ${Math.round(before)} MB before, ${Math.round(largest)} MB at most`,
  );
  for (const res of open) res.destroy();
}

/** 12 messages of 20 MB by one visitor at once: how long someone waits who changes the conversation. */
async function parallelUploads(server: Server): Promise<void> {
  const visitor = await makeVisitor(server);
  const { conversationId } = viewOf(await visitor.write());
  const files = () => ['a', 'b'].map((file) => new File([Buffer.alloc(10 * MB - 100)], file));
  const watcher = spawn(process.execPath, ['bench/lock-conversation.ts', String(conversationId)], {
    cwd: projectDir,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(watcher, 'message');
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => visitor.write({ id: randomUUID(), files: files() })),
  );
  watcher.send('end');
  const [{ change, statement }] = await once(watcher, 'message');
  const taken = answers.filter(({ status }) => status === 201).length;
  console.log(
    `12 parallel uploads: ${taken} taken; a change of the conversation waited ${change} ms at most, a statement without ${statement} ms`,
  );
}
