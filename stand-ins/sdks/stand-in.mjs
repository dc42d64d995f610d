import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, beforeEach } from 'node:test';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../providers/main.ts', import.meta.url));

/** Starts the stand-in for a test file. Everything is reset before each test. */
export function useStandIn() {
  const standIn = { url: '', control, key };
  let child;
  before(async () => {
    const [port, smtpPort] = await freePorts(2);
    const env = {
      ...process.env,
      // Nothing listens there: each test sets the addresses that it needs.
      SERVICE_URL: 'http://127.0.0.1:9',
      PROVIDERS_PORT: String(port),
      PROVIDERS_SMTP_PORT: String(smtpPort),
      INBOUND_SMTP_PORT: '',
    };
    child = fork(PROGRAM, { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const [message] = await once(child, 'message');
    if (message !== 'ready') throw new Error(`The stand-in says ${message}.`);
    standIn.url = `http://localhost:${port}`;
  });
  after(async () => {
    if (!child) return;
    const ended = once(child, 'exit');
    child.disconnect();
    await ended;
  });
  beforeEach(() => control('POST', '/control/reset'));

  async function control(method, path, body) {
    const response = await fetch(`${standIn.url}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  }

  /** Returns the demo account of a channel. */
  async function account(channel) {
    const [found] = await control('GET', `/control/accounts?channel=${channel}&workspace=Demo%20Growth`);
    return found;
  }
  function key({ key: id }) {
    return `/control/accounts/${encodeURIComponent(id)}`;
  }
  return Object.assign(standIn, {
    account,
    /** Writes to an account as a person. */
    write: (to, body) => control('POST', `${key(to)}/messages`, body),
    /** Edits, removes or reacts as a person. */
    act: (to, message, body) =>
      control('POST', `${key(to)}/messages/${encodeURIComponent(message)}/acts`, body),
    chats: (of) => control('GET', `${key(of)}/chats`),
  });
}

export const base64 = (text) => Buffer.from(text).toString('base64');

/** Waits until `find` returns a value. */
export async function until(what, find) {
  for (let tries = 0; tries < 400; tries += 1) {
    const found = await find();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`Timed out before ${what}.`);
}

/** Starts an HTTP server for the webhooks of an SDK. */
export async function serve(handler) {
  const server = createServer(handler);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
