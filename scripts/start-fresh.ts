import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { claimDataFolder } from '#scripts/data-folder.ts';
import { ExplainedError } from '#scripts/explained-error.ts';
import { dataDirOf, projectDir } from '#scripts/project.ts';
import { runCli } from '#scripts/run-cli.ts';
import { stopAbandonedPostgres } from '#scripts/stop-abandoned-postgres.ts';

// Empties DATA_DIR, then does what `npm start` does: the end-to-end tests always find the same demo data.
await runCli(async () => {
  const dataDir = dataDirOf(process.env);
  if (!dataDir.startsWith(join(projectDir, '.data', 'e2e'))) {
    throw new ExplainedError(
      `${dataDir} is not emptied: set DATA_DIR to a folder in .data whose name begins with e2e.`,
    );
  }
  const claim = await claimDataFolder(dataDir);
  await stopAbandonedPostgres(join(dataDir, 'postgres'));
  await claim.release();
  await rm(dataDir, { recursive: true, force: true });
  await import('#scripts/start.ts');
});
