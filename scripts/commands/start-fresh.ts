import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { stopAbandonedPostgres } from '#scripts/postgres/running-postgres.ts';
import { isLocked } from '#scripts/start/lock.ts';
import { dataDirOf, projectDir } from '#server/core/project.ts';
import { runCli, UserError } from '#server/core/user-error.ts';

// Empties DATA_DIR, then runs `npm start`, so that browser tests always find the same demo data.
await runCli(async () => {
  const dataDir = dataDirOf(process.env);
  if (!dataDir.startsWith(join(projectDir, '.data', 'e2e'))) {
    throw new UserError(
      `${dataDir} is not emptied: set DATA_DIR to a folder in .data whose name begins with e2e.`,
    );
  }
  // `npm start` itself refuses a folder that is in use.
  if (!isLocked(dataDir)) {
    await stopAbandonedPostgres(join(dataDir, 'postgres'));
    await rm(dataDir, { recursive: true, force: true });
  }
  await import('#scripts/commands/start.ts');
});
