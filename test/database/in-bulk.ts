import { PrismaPg } from '@prisma/adapter-pg';
import { settings } from '#server/core/env.ts';
import { PrismaClient } from '#server/generated/prisma/client.ts';

/** Calls `fill` with a connection that has no statement timeout, to insert many rows. */
export async function inBulk(fill: (db: PrismaClient) => Promise<unknown>): Promise<void> {
  const adapter = new PrismaPg({ connectionString: settings().DATABASE_URL, max: 1 });
  const bulk = new PrismaClient({ adapter });
  try {
    await fill(bulk);
  } finally {
    await bulk.$disconnect();
  }
}
