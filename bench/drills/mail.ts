import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import nodemailer from 'nodemailer';
import { figure, judge } from '#bench/drills/judge.ts';
import { startWorker, withEngine } from '#bench/lab/engine.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { startSmtpListener } from '#server/smtp/start-smtp-listener.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { startDnsServer } from '#test/servers/dns-server.ts';
import { rawMail } from '#test/servers/inbound-mail.ts';

// npm run drill -- mail [seconds]: an anonymous sender sends four kinds of hostile mail over SMTP, each for a
// minute. During the attacks, an unrelated job is queued every 2 s and another sender sends a mail every 5 s.
const [seconds = 60] = process.argv.slice(2).map(Number);

const SENDERS = 4;
const JOB_EVERY_MS = 2_000;
const MAIL_EVERY_MS = 5_000;
const POLL_MS = 50;
const MEMORY_EVERY_MS = 250;
/** Maximum delays for other users, in ms, and the maximum memory of the worker with its parser processes, in MB. */
const JOB_MOST_MS = 5_000;
const ACCEPTED_MOST_MS = 10_000;
const PROCESSED_MOST_MS = 30_000;
const MEMORY_MOST = 700;
/** Address of the honest sender: a separate one where loopback has several. */
const HONEST_ADDRESS = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1';

const ps = promisify(execFile);
const base64 = `${'A'.repeat(76)}\r\n`.repeat(25 * 13_400);
const attack = (headers: Record<string, string>, body: string) => () =>
  rawMail({ From: 'mallory@evil.test', 'Message-ID': `<${randomUUID()}@evil.test>`, ...headers }, body);
const KINDS: Record<string, () => string> = {
  'nested HTML': attack({ 'Content-Type': 'text/html' }, '<div>'.repeat(100_000)),
  '700,000 lines': attack({}, '=\r\n'.repeat(700_000)),
  'mails of 25 MB': attack(
    { 'Content-Type': 'application/octet-stream; name=a', 'Content-Transfer-Encoding': 'base64' },
    base64,
  ),
  'automatic mails': attack({ 'Auto-Submitted': 'auto-replied' }, 'I am away.\r\n'.repeat(80_000)),
};

await withEngine(async ({ lab, use }) => {
  await use(lab.url);
  const dns = await startDnsServer();
  dns.answers.set('acme.test', [['v=spf1 ip4:127.0.0.0/8 -all']]);
  Object.assign(settings(), { DNS_SERVERS: [dns.address], INBOUND_SMTP_PORT: 2525 });
  const listener = await startSmtpListener({ port: 0, host: '127.0.0.1' });
  const worker = await startWorker({ DNS_SERVERS: dns.address, INBOUND_SMTP_PORT: '2525' });
  try {
    for (const [kind, make] of Object.entries(KINDS)) {
      await attackWith(kind, make, { port: listener.port, workerPid: worker.pid });
      // Drop the rest of this kind, so that the next kind starts with an empty queue.
      const data = { processedAt: new Date() };
      await db().inboundUpdate.updateMany({ where: { processedAt: null }, data });
    }
  } finally {
    await worker[Symbol.asyncDispose]();
    await listener.stop();
    await dns.stop();
  }
});

async function attackWith(kind: string, make: () => string, at: { port: number; workerPid: number }) {
  const { workspaceId } = await makeConnection();
  const { address: to } = await db().mailbox.findFirstOrThrow({ where: { workspaceId } });
  const transport = (localAddress: string, name: string) =>
    nodemailer.createTransport({
      host: '127.0.0.1',
      port: at.port,
      name,
      localAddress,
      tls: { rejectUnauthorized: false },
    });
  const evil = transport('127.0.0.1', 'mx.evil.test');
  const honest = transport(HONEST_ADDRESS, 'mx.acme.test');
  const deadline = performance.now() + seconds * 1_000;
  const counts = { sent: 0, refused: 0 };
  const times = { job: [] as number[], accepted: [] as number[], processed: [] as number[] };
  let mostMemory = 0;
  const repeat = async (pauseMs: number, work: () => Promise<void>) => {
    while (performance.now() < deadline) {
      const start = performance.now();
      await work();
      await sleep(Math.max(0, start + pauseMs - performance.now()));
    }
  };
  await Promise.all([
    ...Array.from({ length: SENDERS }, () =>
      repeat(POLL_MS, async () => {
        await evil.sendMail({ envelope: { from: 'mallory@evil.test', to }, raw: make() }).then(
          () => {
            counts.sent += 1;
          },
          () => {
            counts.refused += 1;
          },
        );
      }),
    ),
    repeat(JOB_EVERY_MS, async () => void times.job.push(await runJob(workspaceId))),
    repeat(MAIL_EVERY_MS, async () => {
      const start = performance.now();
      const content = `Honest ${randomUUID()}`;
      const raw = rawMail({ 'Message-ID': `<${randomUUID()}@acme.test>` }, content);
      const isAccepted = await honest.sendMail({ envelope: { from: 'ada@acme.test', to }, raw }).then(
        () => true,
        () => false,
      );
      times.accepted.push(isAccepted ? performance.now() - start : Number.POSITIVE_INFINITY);
      if (!isAccepted) return;
      const isThere = async () => (await db().message.count({ where: { workspaceId, content } })) > 0;
      times.processed.push(await waitFor(isThere, start, 2 * PROCESSED_MOST_MS));
    }),
    repeat(MEMORY_EVERY_MS, async () => {
      mostMemory = Math.max(mostMemory, await memoryOf(at.workerPid));
    }),
  ]);
  evil.close();
  honest.close();
  figure(`${kind}: ${counts.sent} sent, ${counts.refused} refused in ${seconds} s`);
  judgeMost(`${kind}: an unrelated job`, times.job, JOB_MOST_MS);
  judgeMost(`${kind}: an honest mail until it is accepted`, times.accepted, ACCEPTED_MOST_MS);
  judgeMost(`${kind}: an honest mail until it is processed`, times.processed, PROCESSED_MOST_MS);
  judge(
    `${kind}: memory of the worker ${mostMemory.toFixed(0)} MB, at most ${MEMORY_MOST}`,
    mostMemory > 0 && mostMemory < MEMORY_MOST,
  );
}

function judgeMost(what: string, times: number[], mostMs: number): void {
  const most = Math.max(0, ...times);
  judge(`${what}: ${most.toFixed(0)} ms at most in ${times.length} tries, under ${mostMs}`, most < mostMs);
}

/** Queues a job that has nothing to do with mail. Returns the time until it is done, in ms. */
async function runJob(workspaceId: string): Promise<number> {
  const start = performance.now();
  const data = { workspaceId, name: randomUUID(), deletedAt: new Date() };
  const { id } = await db().company.create({ data });
  await inTransaction((tx) => queueJob(tx, 'remove-company', { companyId: id }));
  const isDone = async () => (await db().company.count({ where: { id } })) === 0;
  return waitFor(isDone, start, 4 * JOB_MOST_MS);
}

/** Returns the time since `start`, in ms, or infinity after `mostMs`. */
async function waitFor(isDone: () => Promise<boolean>, start: number, mostMs: number): Promise<number> {
  while (performance.now() - start < mostMs) {
    if (await isDone()) return performance.now() - start;
    await sleep(POLL_MS);
  }
  return Number.POSITIVE_INFINITY;
}

/**
 * Returns the memory of a process and its children, in MB. On Linux, memory pages shared by processes count
 * once.
 */
async function memoryOf(pid: number): Promise<number> {
  const { stdout } = await ps('ps', ['-A', '-o', 'pid=,ppid=,rss=']);
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const own = rows.filter(([each, parent]) => each === pid || parent === pid);
  const kib = await Promise.all(own.map(async ([each, , rss = 0]) => (await sharedKib(each)) ?? rss));
  return (kib.reduce((sum, each) => sum + each, 0) * 1_024) / 1_000_000;
}

async function sharedKib(pid: number | undefined): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  const [, kib] = /^Pss:\s+(\d+)/m.exec(text) ?? [];
  return kib === undefined ? undefined : Number(kib);
}
