import { Client } from 'pg';
import { runToolOrFail } from '#scripts/run-tool.ts';

/** Loads the demo data into a database without workspaces; says whether it did. */
export async function loadDemoData(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<string> {
  // Asked here first: starting the program only to find nothing to do would take most of a second.
  if (!(await isEmpty(env.DATABASE_URL ?? ''))) return 'already there';
  await runToolOrFail('prisma/seed.ts', [], 'The demo data could not be loaded: see above.', { env, signal });
  return 'loaded';
}

async function isEmpty(databaseUrl: string): Promise<boolean> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from workspaces limit 1');
    return rowCount === 0;
  } finally {
    await client.end();
  }
}
