import pg from 'pg';
import { directUrl } from '#server/core/database/pool-options.ts';

/** How long the database may take, in milliseconds: to connect, and for a statement. Prometheus waits for 10 s. */
const CONNECT_MS = 2_000;
const STATEMENT_MS = 2_000;
/** A connection whose server does not even break the statement off is given up, in milliseconds. */
const RESPONSE_MS = 2_500;

const shared = globalThis as typeof globalThis & { serviceMetricsPool?: pg.Pool };

/**
 * Two connections of its own, one for metrics and one for health, so that both can be asked for also while every
 * other connection of the process is taken. Every statement on them ends within two seconds.
 */
export function metricsPool(): pg.Pool {
  if (!shared.serviceMetricsPool) {
    const made = new pg.Pool({
      connectionString: directUrl(),
      max: 2,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: RESPONSE_MS,
      // Not as a parameter of the connection, which poolers refuse.
      onConnect: async (client) => {
        await client.query(`set statement_timeout = ${STATEMENT_MS}`);
      },
    });
    // A connection that breaks is replaced by the pool; without listeners it would end the process.
    made.on('error', () => {});
    made.on('connect', (client) => client.on('error', () => {}));
    shared.serviceMetricsPool = made;
  }
  return shared.serviceMetricsPool;
}

/** Closes them, when the process ends. */
export async function closeMetricsPool(): Promise<void> {
  const { serviceMetricsPool } = shared;
  delete shared.serviceMetricsPool;
  await serviceMetricsPool?.end();
}

/** Whether the database answers within seconds. */
export async function databaseResponds(): Promise<boolean> {
  return metricsPool()
    .query('select')
    .then(
      () => true,
      () => false,
    );
}
