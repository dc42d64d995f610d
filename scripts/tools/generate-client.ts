import { hashFiles, unlessDone } from '#scripts/tools/hash-files.ts';
import { runToolOrFail } from '#scripts/tools/run-tool.ts';
import { projectPath } from '#server/core/project.ts';

/**
 * Generates the Prisma client unless it is up to date with schema and version.
 * @returns true if the client was generated
 */
export async function generateClient(onStart: () => void, signal?: AbortSignal): Promise<boolean> {
  const hash = await hashFiles(['prisma/schema.prisma', 'node_modules/prisma/package.json']);
  return await unlessDone(projectPath('server', 'generated', 'schema-hash'), hash, async () => {
    onStart();
    await runToolOrFail(
      'node_modules/prisma/build/index.js',
      ['generate'],
      'The Prisma client could not be generated: correct prisma/schema.prisma as shown above.',
      { env: PRISMA_ENV, signal },
    );
  });
}

/** Names any existing file as the engine: otherwise Prisma downloads one, although generating uses none. */
const PRISMA_ENV = {
  PRISMA_SCHEMA_ENGINE_BINARY: projectPath('package.json'),
  PRISMA_HIDE_UPDATE_MESSAGE: '1',
  CHECKPOINT_DISABLE: '1',
};
