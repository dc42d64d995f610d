import { readFileSync } from 'node:fs';
import pg from 'pg';
import { Agent, request } from 'undici';

// The work of each queue for a job: one POST over keep-alive and one insert. Imports nothing from the
// service.
const { DATABASE_URL, SINK, SINK_HOST, SINK_CA } = process.env;
/** Maximum number of jobs in flight, as in the service's worker. */
export const CONCURRENCY = 100;

export const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });
pool.on('error', () => {});
pool.on('connect', (client) => client.on('error', () => {}));
const agent = new Agent({ connect: { ca: readFileSync(SINK_CA, 'utf8'), servername: SINK_HOST } });

export async function makeTable() {
  await pool.query(`create table if not exists bench_attempts (
    id uuid not null, path text not null, status_code smallint not null, started_at timestamptz not null,
    duration_ms int not null, primary key (id, path))`);
}

/**
 * Posts a body to the sink.
 * @returns the status of the response
 */
export async function post({ id, path, body }) {
  const response = await request(`https://${SINK}${path}`, {
    dispatcher: agent,
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Host: SINK_HOST, 'X-Service-Delivery': id },
    body,
  });
  await response.body.text();
  return response.statusCode;
}

export async function send(job) {
  const startedAt = new Date();
  const start = performance.now();
  const status = await post(job);
  await pool.query({
    name: 'attempt',
    // A job may be sent again after a fault.
    text: `insert into bench_attempts (id, path, status_code, started_at, duration_ms) values ($1, $2, $3, $4, $5)
      on conflict do nothing`,
    values: [job.id, job.path, status, startedAt, Math.round(performance.now() - start)],
  });
}
