import { readFile } from 'node:fs/promises';
import { hashFiles, unlessDone } from '#scripts/tools/hash-files.ts';
import { runToolOrFail } from '#scripts/tools/run-tool.ts';
import { projectPath } from '#server/core/project.ts';

/**
 * Builds the screens (`next build`) unless their sources are unchanged. Of the server, these are only the modules that pages
 * run (`app/server-modules.json`).
 * @returns true if they were built
 */
export async function buildScreens(onStart: () => void, signal?: AbortSignal): Promise<boolean> {
  const modules: string[] = JSON.parse(await readFile(projectPath('app', 'server-modules.json'), 'utf8'));
  const hash = await hashFiles([...SOURCES, ...modules], isSource);
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

/** Tests are not built. */
function isSource(path: string): boolean {
  return !/\.test\.tsx?$/.test(path);
}

const SOURCES = [
  'app',
  'public',
  'next.config.mjs',
  'postcss.config.mjs',
  'package-lock.json',
  'tsconfig.json',
];
