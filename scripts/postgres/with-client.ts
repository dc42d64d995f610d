import { Client } from 'pg';

/** Does something with a connection to a database, and closes it. Throws when none can be made within five seconds. */
export async function withClient<T>(
  url: string | undefined,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
