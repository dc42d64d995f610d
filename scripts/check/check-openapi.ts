import { readFile } from 'node:fs/promises';
import { projectPath } from '#scripts/tools/project.ts';
import { runToolOrFail } from '#scripts/tools/run-tool.ts';
import { UserError } from '#scripts/tools/user-error.ts';

/** Fails when `openapi.json` does not say what the procedures say. */
export async function checkOpenApiDrift(): Promise<void> {
  // Only now, as the Prisma client that the procedures import may have been generated a moment ago.
  const { openApiJson } = await import('#server/doors/rest/openapi-document.ts');
  const committed = await readFile(projectPath('openapi.json'), 'utf8').catch(() => '');
  const line = firstDifference(committed, openApiJson);
  if (line === undefined) return;
  const [was = '', is = ''] = [committed, openApiJson].map((text) => text.split('\n')[line - 1]?.trim());
  throw new UserError(
    `openapi.json no longer says what the procedures say, first on line ${line}:\n  - ${was}\n  + ${is}\n\n` +
      'Run npm run openapi, read what changed as a user of the API would, and commit it.',
  );
}

/** The number of the first line in which two texts differ, from 1; undefined when they are the same. */
export function firstDifference(a: string, b: string): number | undefined {
  if (a === b) return undefined;
  const [before, after] = [a.split('\n'), b.split('\n')];
  const index = before.findIndex((line, at) => line !== after[at]);
  return (index === -1 ? before.length : index) + 1;
}

/** Lints `openapi.json` by the rules of `redocly.yaml`; a warning fails like an error. Asks nothing of the network. */
export async function lintOpenApi(signal: AbortSignal): Promise<void> {
  const output = await runToolOrFail(
    'node_modules/@redocly/cli/bin/cli.js',
    ['lint', 'openapi.json', '--config', 'redocly.yaml'],
    'Correct the procedures or server/doors/rest/openapi-*.ts, then run npm run openapi.',
    { signal, lines: 200, env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_NOTIFICATIONS: 'true' } },
  );
  if (/You have \d+ warning/.test(output)) throw new UserError(output);
}
