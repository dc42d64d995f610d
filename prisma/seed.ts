import { PrismaPg } from '@prisma/adapter-pg';
import { hashPassword } from 'better-auth/crypto';
import type { Connecting } from '#prisma/seed/channel-account-rows.ts';
import { connectingFrom } from '#prisma/seed/connecting-from.ts';
import { demoRows } from '#prisma/seed/demo-rows.ts';
import { insertRows } from '#prisma/seed/insert-rows.ts';
import { DEMO_PASSWORD, PEOPLE } from '#prisma/seed/people.ts';
import { loadEnvironment } from '#server/core/project.ts';
import { explainDatabaseError, runCli, UserError } from '#server/core/user-error.ts';
import { type Prisma, PrismaClient } from '#server/generated/prisma/client.ts';

/**
 * Loads the demo data (five workspaces, five teammates, one password) into an empty, migrated database: completely or
 * not at all, and once, even if several processes do it. `connecting` also connects its channels.
 * @throws UserError when the database has other data or no tables, or is unreachable
 */
export async function seedDemoData(
  databaseUrl: string,
  connecting: Connecting | null = null,
): Promise<'seeded' | 'already there'> {
  const adapter = new PrismaPg({
    connectionString: databaseUrl,
    max: 1,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  const prisma = new PrismaClient({ adapter });
  try {
    return await prisma.$transaction((tx) => seedOnce(tx, connecting), {
      maxWait: CONNECT_TIMEOUT_MS,
      timeout: TIMEOUT_MS,
    });
  } catch (error) {
    throw explainDatabaseError(error);
  } finally {
    await prisma.$disconnect();
  }
}

async function seedOnce(
  tx: Prisma.TransactionClient,
  connecting: Connecting | null,
): Promise<'seeded' | 'already there'> {
  // A second process waits here and then finds the data.
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended('demo data', 0))`;
  const { email } = PEOPLE.owner;
  if (await tx.user.findUnique({ where: { email }, select: { id: true } })) return 'already there';
  const hasOther =
    (await tx.user.findFirst({ select: { id: true } })) ??
    (await tx.workspace.findFirst({ select: { id: true } }));
  if (hasOther) {
    throw new UserError(
      'The database already has users or workspaces: the demo data is loaded into an empty database only.',
    );
  }
  const passwordHash = await hashPassword(DEMO_PASSWORD);
  await insertRows(tx, demoRows({ now: new Date(), passwordHash, connecting }));
  return 'seeded';
}

const CONNECT_TIMEOUT_MS = 10_000;
const TIMEOUT_MS = 60_000;

if (import.meta.main) {
  await runCli(async () => {
    loadEnvironment(process.env);
    const databaseUrl = process.env.DATABASE_URL;
    if (!databaseUrl) {
      throw new UserError(
        'DATABASE_URL is not set: name the PostgreSQL to load the demo data into ' +
          '(npm start loads it into the embedded one).',
      );
    }
    const result = await seedDemoData(databaseUrl, connectingFrom(process.env));
    console.log(
      result === 'seeded'
        ? `The demo data is loaded: sign in as ${PEOPLE.owner.email} with the password ${DEMO_PASSWORD}.`
        : 'Nothing was changed: the demo data is already there.',
    );
  });
}
