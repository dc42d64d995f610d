import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { collectDefaultMetrics } from 'prom-client';
import { log } from '#server/core/log.ts';
import { backlogText } from '#server/core/metrics/backlog-text.ts';
import { registry } from '#server/core/metrics/declare-metrics.ts';
import { closeMetricsPool, databaseResponds, readBacklog } from '#server/core/metrics/read-backlog.ts';
import { explainListenError } from '#server/core/user-error.ts';
import { pathOf } from '#server/http/request/request-parts.ts';
import { hasMethod, READ, sendJson } from '#server/http/response/send-json.ts';

/** Health of a process. The response includes the other properties. */
type Health = { ok: boolean; [detail: string]: unknown };

/** Timeout of the health check, in ms. */
const HEALTH_MS = 4_000;
const TIMEOUTS = { headersTimeout: 5_000, requestTimeout: 5_000 };

/**
 * Serves `GET /metrics` for Prometheus and `GET /health` (200 or 503) on a separate port. There is no
 * authentication: the port must not be reachable from outside.
 * @param host the address to listen on, `METRICS_HOST`
 * @param health the health check; a timeout after four seconds counts as unhealthy
 * @throws when the port cannot be listened on, with the name of the setting
 */
export async function startMetricsServer({
  port,
  host,
  health,
}: {
  port: number;
  host: string;
  health: () => Promise<Health>;
}): Promise<{ port: number; stop: () => Promise<void> }> {
  const server = createServer(TIMEOUTS, (req, res) => {
    if (!isInternalHost(req.headers.host, host))
      return sendJson(res, 421, { message: 'Use the IP address or an internal name of this machine.' });
    respond(req, res, health).catch((error: unknown) => {
      log().error({ err: error }, 'metrics.failed');
      sendJson(res, 500, { message: 'The metrics could not be collected.' });
    });
  });
  const actualPort = await listen(server, port, host);
  addProcessMetrics();
  return {
    port: actualPort,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await closeMetricsPool();
    },
  };
}

/** Names that no public DNS server resolves. */
const INTERNAL_NAME = /^[^.]+$|\.(?:local|internal|svc)$/;

/**
 * Returns whether a request names this port as one of our own programs would. A website could have its own name resolve to this
 * machine, and read the port through a browser (DNS rebinding).
 */
export function isInternalHost(header: string | undefined, own: string): boolean {
  if (header === undefined) return true;
  if (!URL.canParse(`http://${header}`)) return false;
  const { hostname } = new URL(`http://${header}`);
  const address = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(address) !== 0 || hostname === own.toLowerCase() || INTERNAL_NAME.test(hostname);
}

async function respond(req: IncomingMessage, res: ServerResponse, health: () => Promise<Health>) {
  const path = pathOf(req);
  if (path !== '/metrics' && path !== '/health') {
    return sendJson(res, 404, { message: 'Only /metrics and /health exist here.' });
  }
  if (!hasMethod(req, res, READ)) return;
  if (path === '/health') {
    const { ok, ...details } = await withTimeout(health);
    return sendJson(res, ok ? 200 : 503, { status: ok ? 'ok' : 'not ok', ...details });
  }
  const [own, backlog] = await Promise.all([registry().metrics(), readBacklog().then(backlogText)]);
  res.writeHead(200, { 'Content-Type': registry().contentType });
  res.end(`${own.trimEnd()}\n${backlog}`);
}

/**
 * Adds metrics of memory, processor time, event loop and garbage collection. Collected only when the server
 * is started.
 */
function addProcessMetrics(): void {
  if (!registry().getSingleMetric('process_cpu_seconds_total'))
    collectDefaultMetrics({ register: registry() });
}

/** Never throws and never hangs, as the caller decides whether to restart the process. */
async function withTimeout(health: () => Promise<Health>): Promise<Health> {
  const tooLate = sleep(HEALTH_MS, { ok: false, reason: 'No response in time.' }, { ref: false });
  try {
    return await Promise.race([health(), tooLate]);
  } catch (error) {
    log().error({ err: error }, 'health.failed');
    return { ok: false, reason: 'The health check failed.' };
  }
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(explainListenError(error, { port, setting: 'METRICS_PORT', host, hostSetting: 'METRICS_HOST' })),
    );
    server.listen({ port, host }, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

/** Adds the health of the database to a process that depends on it. The database has two seconds to respond. */
export async function withDatabase(health: Health): Promise<Health> {
  const responds = await databaseResponds();
  return { ...health, ok: health.ok && responds, database: responds ? 'answers' : 'silent' };
}
