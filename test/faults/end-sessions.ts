import { Client } from 'pg';

/** Ends all sessions of a database, as a failover does. */
export async function endSessions(databaseUrl: string): Promise<void> {
  await terminate(databaseUrl, 'true');
}

/** Ends a worker's lease session, as PostgreSQL does when a machine no longer responds on the network. */
export async function endLeaseSession(databaseUrl: string, pid: number): Promise<void> {
  await terminate(databaseUrl, 'application_name = $1', [`lease-${pid}`]);
}

async function terminate(databaseUrl: string, condition: string, values: string[] = []): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and ${condition}`,
      values,
    );
  } finally {
    await client.end();
  }
}
