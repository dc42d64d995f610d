import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

export const execute = (name: string, text: string, values: unknown[], on: pg.Pool | pg.PoolClient = pool) =>
  on.query({ name, text, values });

export async function inTransaction(work: (client: pg.PoolClient) => Promise<string>): Promise<string> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const response = await work(client);
    await client.query('commit');
    return response;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}
