import { Pool } from 'pg';
import { pool } from '#server/core/database/pools.ts';
import { createPrisma } from '#server/core/database/prisma.ts';
import type { PrismaClient } from '#server/generated/prisma/client.ts';

const shared = globalThis as typeof globalThis & {
  servicePrisma?: PrismaClient;
  testPrisma?: PrismaClient;
};

/**
 * Makes all test files of a process use one Prisma client. A new client parses the schema and compiles each of its
 * queries again.
 */
export function keepPrisma(): void {
  shared.testPrisma ??= createLastingPrisma();
  shared.servicePrisma = shared.testPrisma;
}

/** Creates a client that always uses the pool of the current database, and that `closeDatabase` does not close. */
function createLastingPrisma(): PrismaClient {
  const current = new Proxy(new Pool(), {
    get: (_, name) => {
      const used = pool();
      const value = Reflect.get(used, name);
      return typeof value === 'function' ? value.bind(used) : value;
    },
  });
  return Object.assign(createPrisma(current), { $disconnect: async () => undefined });
}
