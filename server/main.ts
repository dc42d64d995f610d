import { fileURLToPath } from 'node:url';
import { createHttpServer } from '#server/doors/http/create-http-server.ts';
import { drainServer } from '#server/doors/http/drain-server.ts';
import { checkReadiness } from '#server/doors/http/health.ts';
import { nextPages } from '#server/doors/http/next-pages.ts';
import { startMetricsServer } from '#server/doors/http/start-metrics-server.ts';
import { closeDatabase } from '#server/ground/db.ts';
import { settings } from '#server/ground/env.ts';
import { closeLimiterStore, openLimiterStore } from '#server/ground/limits/limiter-store.ts';
import { log } from '#server/ground/log.ts';
import { logConsole } from '#server/ground/log-console.ts';
import { endOnSignals, failStart } from '#server/ground/process.ts';
import { flushPublished } from '#server/ground/publish/publish.ts';

/** How long requests under way may take to finish once the server ends. */
const DRAIN_MS = 20_000;

try {
  const { HOST, PORT, METRICS_PORT, METRICS_HOST, BASE_URL } = settings();
  logConsole();
  const pages = await nextPages(fileURLToPath(new URL('..', import.meta.url)));
  const server = createHttpServer(pages.render);
  const metrics =
    METRICS_PORT === undefined
      ? undefined
      : await startMetricsServer({ port: METRICS_PORT, host: METRICS_HOST, health: checkReadiness });

  endOnSignals(async () => {
    await drainServer(server, DRAIN_MS);
    await pages.close();
    closeLimiterStore();
    await flushPublished();
    await metrics?.stop();
    await closeDatabase();
  });

  await openLimiterStore();
  server.on('error', (error) => failStart(error, PORT));
  server.listen({ port: PORT, host: HOST }, () => {
    log().info({ port: PORT, baseUrl: BASE_URL }, 'server.ready');
    process.send?.('ready');
  });
} catch (error) {
  failStart(error);
}
