import { fileURLToPath } from 'node:url';
import { closeDatabase } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { flushPublished } from '#server/core/live/publish.ts';
import { log } from '#server/core/log.ts';
import { logConsole } from '#server/core/log-console.ts';
import { endOnSignals, failStart } from '#server/core/process.ts';
import { startTracing, stopTracing } from '#server/core/tracing/tracing.ts';
import { codeOf, explainListenError } from '#server/core/user-error.ts';
import { closeServer } from '#server/http/close-server.ts';
import { createHttpServer } from '#server/http/create-http-server.ts';
import { getReady } from '#server/http/get-ready.ts';
import { checkReadiness } from '#server/http/health.ts';
import { startMetricsServer } from '#server/http/metrics-server.ts';
import { nextPages } from '#server/http/pages/next-pages.ts';
import { requireSecretsKey } from '#server/inbox/channels/accounts/seal-credentials.ts';
import { startSmtpListener } from '#server/smtp/start-smtp-listener.ts';

/** Starts the listener. A second demo on the same machine runs without incoming mail. Otherwise a port in use stops the start. */
async function startMail(port: number, host: string) {
  try {
    return await startSmtpListener({ port, host });
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE' && settings().DEMO) {
      log().warn({ port }, 'mail.port_in_use');
      return undefined;
    }
    throw explainListenError(error, { port, setting: 'INBOUND_SMTP_PORT', host, hostSetting: 'HOST' });
  }
}

/** Time for requests in flight to finish on shutdown, in ms. */
const DRAIN_MS = 20_000;

try {
  const { HOST, PORT, METRICS_PORT, METRICS_HOST, INBOUND_SMTP_PORT, BASE_URL } = settings();
  logConsole();
  await startTracing('server');
  await requireSecretsKey();
  const pages = await nextPages(fileURLToPath(new URL('..', import.meta.url)));
  const server = createHttpServer(pages.render);
  const metrics =
    METRICS_PORT === undefined
      ? undefined
      : await startMetricsServer({ port: METRICS_PORT, host: METRICS_HOST, health: checkReadiness });

  const mail = INBOUND_SMTP_PORT === undefined ? undefined : await startMail(INBOUND_SMTP_PORT, HOST);

  endOnSignals(async () => {
    await Promise.all([closeServer(server, DRAIN_MS), mail?.stop()]);
    await pages.close();
    await flushPublished();
    await metrics?.stop();
    await closeDatabase();
    await stopTracing();
  });

  await getReady();
  const address = { port: PORT, setting: 'PORT', host: HOST, hostSetting: 'HOST' };
  server.on('error', (error) => failStart(explainListenError(error, address)));
  server.listen({ port: PORT, host: HOST }, () => {
    log().info({ port: PORT, baseUrl: BASE_URL }, 'server.ready');
    process.send?.('ready');
  });
} catch (error) {
  failStart(error);
}
