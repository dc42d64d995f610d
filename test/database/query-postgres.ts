import { Client } from 'pg';

/** Runs a statement on a separate connection. Returns the first value of its result. */
export async function queryPostgres(url: string, statement: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query({ text: statement, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}
