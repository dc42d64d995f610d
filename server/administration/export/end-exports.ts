import { db } from '#server/core/database/prisma.ts';
import { log } from '#server/core/log.ts';

/** An export without progress for this time is given up, in ms. Its job was tried for longer than a store is away. */
const GIVEN_UP_MS = 86_400_000;
/** Time for which a page shows an export that has expired or failed, in ms. */
const SHOWN_MS = 7 * 86_400_000;

/** Gives up exports without progress, whose files expire, and removes the rows of old ones. */
export async function endExports(): Promise<void> {
  const now = Date.now();
  const failed = await db().workspaceExport.updateManyAndReturn({
    where: { finishedAt: null, failedAt: null, progressedAt: { lt: new Date(now - GIVEN_UP_MS) } },
    data: { failedAt: new Date(now), expiresAt: new Date(now) },
    select: { id: true },
  });
  for (const { id: exportId } of failed) log().error({ exportId }, 'export.failed');
  await db().storedFile.updateMany({
    where: {
      exportArchive: { export: { failedAt: { not: null } } },
      expiresAt: { gt: new Date(now) },
    },
    data: { expiresAt: new Date(now) },
  });
  await db().workspaceExport.deleteMany({ where: { expiresAt: { lt: new Date(now - SHOWN_MS) } } });
}
