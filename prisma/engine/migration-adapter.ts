import { PrismaPg } from '@prisma/adapter-pg';
import { DriverAdapterError, type SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { DatabaseError, type Pool } from 'pg';

/**
 * Prisma's adapter, except that it sends a script as one query, which PostgreSQL runs as one transaction. Prisma's
 * splits at every semicolon, even in strings, comments and function bodies, and leaves a failed script half done.
 */
export function migrationAdapter(pool: Pool): SqlMigrationAwareDriverAdapterFactory {
  const prisma = new PrismaPg(pool);
  return {
    provider: prisma.provider,
    adapterName: prisma.adapterName,
    connectToShadowDb: () => prisma.connectToShadowDb(),
    connect: async () => {
      const adapter = await prisma.connect();
      adapter.executeScript = (script) => executeScript(pool, script);
      return adapter;
    },
  };
}

async function executeScript(pool: Pool, script: string): Promise<void> {
  try {
    await pool.query(script);
  } catch (error) {
    throw error instanceof DatabaseError ? asEngineError(error, script) : error;
  }
}

function asEngineError(error: DatabaseError, script: string): DriverAdapterError {
  const line = error.position && script.slice(0, Number(error.position)).split('\n').length;
  return new DriverAdapterError({
    kind: 'postgres',
    code: error.code ?? '',
    severity: error.severity ?? 'ERROR',
    message: line ? `${error.message} (line ${line})` : error.message,
    detail: error.detail,
    column: error.column,
    hint: error.hint,
  });
}
