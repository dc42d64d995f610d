import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { findFreePort } from '#scripts/tools/ports.ts';
import { countEvents } from '#server/automation/deliveries/delivery-metrics.ts';
import { startMetricsServer, withDatabase } from '#server/http/metrics-server.ts';
import { readMetrics } from '#test/clients/read-metrics.ts';
import { timed } from '#test/fixtures/timed.ts';
import { setTestSettings } from '#test/servers/settings.ts';

afterEach(stopServers);

test.each([
  ['is down', findFreePort],
  ['hangs', startSilentDatabase],
])(
  'while the database %s, a scrape reports it, with the metrics of the process itself',
  async (_how, makePort) => {
    const url = await withDatabaseAt(await makePort());
    countEvents({ 'contact.created': 1 });
    // Control: a response without the database, because a busy machine slows down everything.
    const control = await timed(() => fetch(`${url}/nothing`));
    expect(control.result.status).toBe(404);
    const { result, ms } = await timed(() => Promise.all([fetch(`${url}/metrics`), fetch(`${url}/health`)]));
    const [scraped, health] = result;
    expect(ms).toBeLessThan(RESPONSE_MAX_MS + 20 * control.ms);

    expect(scraped.status).toBe(200);
    const read = readMetrics(await scraped.text());
    expect(read.get('inbox_database_up')?.samples.get('')).toBe(0);
    expect(read.get('inbox_events_total')?.samples.get('{event="contact.created"}')).toBeGreaterThan(0);
    for (const name of ['inbox_deliveries_unended', 'inbox_queue_jobs', 'inbox_worker_pools']) {
      expect(read.has(name)).toBe(false);
    }
    expect([health.status, await health.json()]).toEqual([
      503,
      { status: 'not ok', lease: 'held', database: 'silent' },
    ]);
  },
);

/** Well below Prometheus' scrape timeout of ten seconds, in ms. */
const RESPONSE_MAX_MS = 6_000;

let stop: (() => Promise<void>)[] = [];

async function stopServers(): Promise<void> {
  for (const each of stop) await each();
  stop = [];
}

/** Starts metrics and health of a process with its database at this port. */
async function withDatabaseAt(port: number): Promise<string> {
  setTestSettings({ DATABASE_URL: `postgresql://nobody@127.0.0.1:${port}/none` });
  const health = () => withDatabase({ ok: true, lease: 'held' });
  const server = await startMetricsServer({ port: 0, host: '127.0.0.1', health });
  stop.push(server.stop);
  return `http://127.0.0.1:${server.port}`;
}

/** Starts a database that accepts connections and never responds. */
async function startSilentDatabase(): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    socket.on('error', () => {});
    sockets.add(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stop.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}
