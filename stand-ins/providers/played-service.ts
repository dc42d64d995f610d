import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type Running, startProviders } from './start-providers.ts';
import type { Account, Channel } from './state.ts';

type Taken = { path: string; headers: IncomingHttpHeaders; body: string };

/** A fake service that accepts every webhook and mail, its response status, and the running stand-in. */
type PlayedService = {
  taken: Taken[];
  mails: { from: string; to: string[]; raw: Buffer }[];
  response: number;
  /** Set before the first test; `url` is the origin of the stand-in's pages. */
  running: Running;
  url: string;
};

/** Starts the stand-in and a fake service for a test file. Both are reset before each test. */
export function playService() {
  const played = { taken: [], mails: [], response: 200 } as unknown as PlayedService;
  const service = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://localhost');
    const body = Buffer.concat(chunks).toString('utf8');
    played.taken.push({ path: pathname, headers: req.headers, body });
    const isRight = searchParams.get('hub.verify_token') === 'right';
    const challenge = isRight ? (searchParams.get('hub.challenge') ?? '') : '';
    const status = searchParams.has('hub.verify_token') && !isRight ? 403 : played.response;
    res.writeHead(status).end(challenge);
  });
  const mailServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: async (stream, { envelope }, callback) => {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      const from = envelope.mailFrom ? envelope.mailFrom.address : '';
      const to = envelope.rcptTo.map(({ address }) => address);
      played.mails.push({ from, to, raw: Buffer.concat(chunks) });
      callback();
    },
  });

  beforeAll(async () => {
    const [port, smtpPort, servicePort, inboundSmtpPort] = [
      await freePort(),
      await freePort(),
      await freePort(),
      await freePort(),
    ];
    service.listen(servicePort, '127.0.0.1');
    mailServer.listen(inboundSmtpPort, '127.0.0.1');
    played.url = `http://localhost:${port}`;
    const serviceUrl = `http://127.0.0.1:${servicePort}`;
    const settings = { serviceUrl, serviceName: 'Inbox', port, smtpPort, inboundSmtpPort, url: played.url };
    played.running = await startProviders(settings);
  });
  afterAll(async () => {
    await played.running.stop();
    service.close();
    await new Promise<void>((resolve) => mailServer.close(resolve));
  });
  beforeEach(async () => {
    await control('POST', '/control/reset');
    played.taken.length = 0;
    played.mails.length = 0;
    played.response = 200;
  });

  async function control(method: string, path: string, body?: unknown) {
    const response = await fetch(`${played.url}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect([path, response.status]).toEqual([path, 200]);
    return await response.json();
  }

  /** Returns Demo Growth's account of a channel. */
  function demo(channel: Channel): Account {
    const accounts = [...played.running.providers.state.accounts.values()];
    const account = accounts.find((each) => each.channel === channel && each.workspace === 'Demo Growth');
    if (!account) throw new Error(`Demo Growth has no account of ${channel}.`);
    return account;
  }

  const key = (channel: Channel) => `${channel}:${demo(channel).externalId}`;
  return {
    played,
    control,
    demo,
    key,
    /** Writes to an account as a contact. */
    write: (channel: Channel, body: object) =>
      control('POST', `/control/accounts/${key(channel)}/messages`, body),
    /** Sets switches of an account. */
    set: (channel: Channel, switches: object) =>
      control('PATCH', `/control/accounts/${key(channel)}/switches`, switches),
  };
}

/** Returns a free port that the system gives to no connection in the meantime: one below those that it chooses from. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    await new Promise((resolve) => server.close(resolve));
    if (isFree) return port;
  }
}

/** Polls `find` until it returns a value. */
export async function until<T>(what: string, find: () => T | undefined | false): Promise<T> {
  for (let tries = 0; tries < 200; tries += 1) {
    const found = find();
    if (found) return found;
    await sleep(25);
  }
  throw new Error(`Timed out before ${what}.`);
}
