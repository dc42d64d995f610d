import { hashFiles, unlessDone } from '#scripts/tools/hash-files.ts';
import { runToolOrFail } from '#scripts/tools/run-tool.ts';
import { projectPath } from '#server/core/project.ts';

/**
 * Builds the screens (`next build`) unless their sources are unchanged.
 * @returns true if they were built
 */
export async function buildScreens(onStart: () => void, signal?: AbortSignal): Promise<boolean> {
  const hash = await hashFiles(SOURCES, isSource);
  return await unlessDone(projectPath('.next', 'source-hash'), hash, async () => {
    onStart();
    await runToolOrFail(
      'node_modules/next/dist/bin/next',
      ['build'],
      'The screens could not be built: correct what next build shows above.',
      { env: { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }, signal },
    );
  });
}

/** Tests are not built, and the generated client depends on the schema only. */
function isSource(path: string): boolean {
  return !path.startsWith('server/generated/') && !/\.test\.tsx?$/.test(path);
}

const SOURCES = [
  'app',
  'public',
  'server',
  'prisma/schema.prisma',
  'next.config.mjs',
  'openapi.json',
  'postcss.config.mjs',
  'package-lock.json',
  'tsconfig.json',
];
