import { mkdir, rename, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { listen, StartError } from '../http/listen.ts';
import { log } from '../http/log.ts';
import { makeCertificate } from '../http/make-certificate.ts';
import { openStream } from '../http/open-stream.ts';
import { receiveHook } from './hooks/receive-hook.ts';
import { makeClient } from './oauth/make-client.ts';
import type { Platform } from './platform.ts';
import { parseSettings, type Settings } from './settings.ts';
import { emptyState } from './state.ts';
import { handleRequest } from './web/handle-request.ts';

/** Starts the page and the hook receiver, and sends `ready` to a parent process when both are reachable. */
async function start(settings: Settings): Promise<void> {
  const platform: Platform = {
    settings,
    oauth: makeClient(settings),
    state: emptyState(),
    stream: openStream(),
  };
  const certificate = await makeCertificate(settings.hooksHost);
  const servers = [
    ...(await listen(
      () => createServer((req, res) => void handleRequest(platform, req, res)),
      settings.port,
      'PLATFORM_PORT',
    )),
    ...(await listen(
      () => createTlsServer(certificate, (req, res) => void receiveHook(platform, req, res)),
      settings.hooksPort,
      'PLATFORM_HOOKS_PORT',
    )),
  ];
  // Only after the ports are open: a second start on the same ports must not replace the running program's CA.
  await writeAuthority(settings.dataDir, certificate.authority).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(
      `${settings.dataDir} is not writable (${error.code}). Set PLATFORM_DATA_DIR to another folder.`,
    );
  });
  stopOnRequest(platform, servers);
  log('platform.ready', { page: settings.returnUrl.origin, hooks_host: settings.hooksHost });
  process.send?.('ready');
}

/** Stops cleanly on a signal, and when the parent process has exited. */
function stopOnRequest(platform: Platform, servers: Server[]): void {
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    log('platform.stopping');
    platform.stream.close();
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
    if (process.connected) process.disconnect();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.on(signal, stop);
}

const read = parseSettings(process.env);
if (!read.ok) {
  for (const problem of read.problems) console.error(problem);
  process.exit(1);
}
start(read.settings).catch((error: unknown) => {
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
});

/** Writes the CA to the file that the service reads. Renames a temporary file, so no reader sees half of it. */
async function writeAuthority(dataDir: string, authority: string): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  const path = join(dataDir, 'hooks-ca.pem');
  const draft = `${path}.${process.pid}.tmp`;
  await writeFile(draft, authority);
  await rename(draft, path);
  return path;
}
