import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectPath } from '#server/core/project.ts';
import { chatClient, viewOf } from '#test/clients/chat-client.ts';
import { newAddress } from '#test/clients/sign-in.ts';

const MB = 1024 * 1024;

/** The service under attack. `memory` reads the memory of its server, in bytes. */
export type FileTarget = {
  url: string;
  databaseUrl: string;
  workspaceId: string;
  memory(): Promise<number>;
};

/** A printed result of an attack on files, with the measured growth in bytes or the wait in ms. */
export type FileFigure = { text: string } & ({ grewBytes: number } | { waitedMs: number });

/**
 * Attacks the web chat's files in several ways, one after the other. Measures the server's memory and the
 * waiting time of other users.
 */
export async function attackFiles(target: FileTarget): Promise<FileFigure[]> {
  return [await halfSentBodies(target), await unreadDownloads(target), await parallelUploads(target)];
}

async function createVisitor({ url, workspaceId }: FileTarget, address = newAddress()) {
  const { body } = await chatClient(url, { address }).post('visitors', { workspaceId });
  const { token } = body as { token: string };
  return { token, address, ...chatClient(url, { token, address }) };
}

/** Returns the peak memory of the server during `work` and three seconds after it, in bytes. */
async function mostDuring(memory: () => Promise<number>, work: () => Promise<unknown>): Promise<number> {
  let most = await memory();
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      await sleep(250);
      most = Math.max(most, await memory());
    }
  })();
  await work();
  await sleep(3_000);
  isOver = true;
  await watching;
  return most;
}

const inMb = (bytes: number) => `${Math.round(bytes / MB)} MB`;

/** Sends 80 bodies of 20 MB from one address and withholds their last byte. */
async function halfSentBodies(target: FileTarget): Promise<FileFigure> {
  const address = newAddress();
  const visitors = await Promise.all(Array.from({ length: 4 }, () => createVisitor(target, address)));
  const before = await target.memory();
  const open: ClientRequest[] = [];
  let refused = 0;
  const piece = Buffer.alloc(MB);
  const send = async (token: string) => {
    const req = request(`${target.url}/api/chat/messages`, {
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
    // Each chunk waits for the previous one.
    req.setMaxListeners(0).on('error', () => undefined);
    req.on('response', (res) => {
      res.resume().on('error', () => undefined);
      refused += 1;
    });
    const head = 'Content-Disposition: form-data; name="files"; filename="';
    req.write(`--b\r\n${head}a"\r\n\r\n`);
    for (let sent = 0; sent < 19; sent += 1) {
      if (sent === 9) req.write(`\r\n--b\r\n${head}b"\r\n\r\n`);
      if (!req.write(piece) && !(await isDrained(req))) return;
    }
  };
  const most = await mostDuring(target.memory, () =>
    Promise.all(visitors.flatMap(({ token }) => Array.from({ length: 20 }, () => send(token)))),
  );
  for (const req of open) req.destroy();
  const text = `80 half-sent bodies: ${inMb(before)} before, ${inMb(most)} at most; ${refused} refused`;
  return { text, grewBytes: most - before };
}

/** Returns whether the request accepts more data. Gives up after 5 s on a server that reads nothing. */
async function isDrained(req: ClientRequest): Promise<boolean> {
  const patience = sleep(5_000, false, { ref: false });
  const drained = new Promise<boolean>((done) => {
    req.once('drain', () => done(true)).once('close', () => done(false));
  });
  return Promise.race([drained, patience]);
}

/** Starts 60 downloads of 10 MB by 20 visitors and reads none of them. */
async function unreadDownloads(target: FileTarget): Promise<FileFigure> {
  const visitors: { token: string; address: string; id: string | undefined }[] = [];
  for (let i = 0; i < 20; i += 1) {
    const { token, address, write } = await createVisitor(target);
    const view = viewOf(await write({ files: [new File([Buffer.alloc(10 * MB)], 'a.bin')] }));
    visitors.push({ token, address, id: view.messages[0]?.attachments[0]?.id });
  }
  await sleep(2_000);
  const before = await target.memory();
  const open: IncomingMessage[] = [];
  const download = ({ token, address, id }: (typeof visitors)[number]) =>
    new Promise<void>((done) => {
      const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': address };
      get(`${target.url}/api/chat/attachments/${id}`, { headers, agent: false }, (res) => {
        open.push(res.on('error', () => undefined));
        done();
      }).on('error', () => done());
    });
  const most = await mostDuring(target.memory, () =>
    Promise.all(visitors.flatMap((visitor) => [download(visitor), download(visitor), download(visitor)])),
  );
  for (const res of open) res.destroy();
  const text = `${open.length} unread downloads: ${inMb(before)} before, ${inMb(most)} at most`;
  return { text, grewBytes: most - before };
}

/**
 * Sends 12 messages of 20 MB in parallel by one visitor. Measures how long another change of the conversation
 * waits.
 */
async function parallelUploads(target: FileTarget): Promise<FileFigure> {
  const visitor = await createVisitor(target);
  const { conversationId } = viewOf(await visitor.write());
  const watcher = spawn(
    process.execPath,
    [projectPath('test/faults/lock-conversation.ts'), String(conversationId)],
    {
      env: { ...process.env, DATABASE_URL: target.databaseUrl },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    },
  );
  await once(watcher, 'message');
  const files = () => ['a', 'b'].map((name) => new File([Buffer.alloc(10 * MB - 100)], name));
  const outcomes = await Promise.allSettled(
    Array.from({ length: 12 }, () => visitor.write({ id: randomUUID(), files: files() })),
  );
  watcher.send('end');
  const [{ change, statement }] = await once(watcher, 'message');
  const taken = outcomes.filter((each) => each.status === 'fulfilled' && each.value.status === 201).length;
  const text = `12 parallel uploads: ${taken} accepted; a change of the conversation waited ${change} ms at most, a statement without ${statement} ms`;
  return { text, waitedMs: change };
}
