import { createServer } from 'node:http';
import { listen } from '../http/listen.ts';
import { openStream } from '../http/open-stream.ts';
import { openDns } from './dns/open-dns.ts';
import { loadAccounts } from './load-accounts.ts';
import { emptyMailbox } from './mail/mail-state.ts';
import { openSink } from './mail/open-sink.ts';
import { makeSigningKey } from './mail/sign-mail.ts';
import type { Providers } from './providers.ts';
import type { Settings } from './settings.ts';
import type { State } from './state.ts';
import { handleRequest } from './web/handle-request.ts';
import { openOutbox } from './webhooks/open-outbox.ts';

export type Running = { providers: Providers; stop(): Promise<void> };

/**
 * Starts the APIs, the pages, the mail server and the name server.
 * @throws StartError when a port is taken or not permitted
 */
export async function startProviders(settings: Settings): Promise<Running> {
  const state: State = {
    accounts: loadAccounts(settings.serviceUrl),
    files: new Map(),
    webhookCalls: [],
    apiCalls: [],
    mail: emptyMailbox(await makeSigningKey()),
    dns: { records: [] },
  };
  const stream = openStream();
  const providers: Providers = { settings, state, stream, outbox: openOutbox({ state, stream }) };
  const servers = await listen(
    () => createServer((req, res) => void handleRequest(providers, req, res)),
    settings.port,
    'PROVIDERS_PORT',
  );
  const sink = await openSink(providers);
  const dns = await openDns(providers);
  return {
    providers,
    async stop() {
      providers.outbox.close();
      stream.close();
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
      await new Promise<void>((resolve) => dns.close(resolve));
      await new Promise<void>((resolve) => sink.close(resolve));
    },
  };
}
