import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { pendingSchemaChange } from '#prisma/new-migration.ts';
import { checkLicences } from '#scripts/check/check-licences.ts';
import { checkManifests } from '#scripts/check/check-manifests.ts';
import { type Counts, countVitest } from '#scripts/check/count-results.ts';
import { findExpressions } from '#scripts/check/find-expressions.ts';
import { type Plan, type Stage, stageOf } from '#scripts/check/run-plan.ts';
import { generateClient } from '#scripts/tools/generate-client.ts';
import { hashFiles, unlessDone } from '#scripts/tools/hash-files.ts';
import { runTool, runToolOrFail } from '#scripts/tools/run-tool.ts';
import { projectPath } from '#server/core/project.ts';
import { UserError } from '#server/core/user-error.ts';

/** Where text of strangers is met. */
const FOREIGN_TEXT_FOLDERS = ['app', 'server', 'worker', 'stand-ins'];

/** Folders whose imports are checked (`.dependency-cruiser.mjs`). */
const IMPORTING_FOLDERS = [
  'app',
  'e2e',
  'bench',
  'test',
  'worker',
  'scripts',
  'prisma',
  'server',
  'stand-ins',
];

/** What the others use. */
const client = stageOf('Prisma client', (signal) => generateClient(() => undefined, signal));

/** What reads the project and runs none of it. */
const types = stageOf('Types', checkTypes);
const readings: Stage[] = [
  toolStage('Format and lint', {
    script: 'node_modules/@biomejs/biome/bin/biome',
    args: ['ci', '--max-diagnostics=50', '.'],
    sentence: 'Format with npm run format; correct the rest.',
  }),
  stageOf('Expressions', checkExpressions),
  // The order of folders, cycles, and packages that only development has.
  toolStage('Imports', {
    script: 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
    args: ['--config', '.dependency-cruiser.mjs', ...IMPORTING_FOLDERS],
    sentence: 'Move what is needed to the folder of the file that needs it, or to one below.',
  }),
  // Files, exports and packages that nothing uses (`knip.json`).
  toolStage('Dead exports', {
    script: 'node_modules/knip/bin/knip.js',
    args: ['--no-config-hints'],
    sentence: 'Remove what nothing uses; an export that only its own file uses loses `export`.',
  }),
  stageOf('Migrations', checkMigrations),
  stageOf('OpenAPI lint', lintOpenApi),
  stageOf('Licences', checkLicences),
  stageOf('Manifests', checkManifests),
];

const units: Stage = { label: 'Unit tests', run: (signal) => runVitest('unit*', signal, { show: false }) };

/**
 * Everything that needs no browser. What reads the project, and unit tests, run side by side.
 * @param built what is made of the project meanwhile, after the types: both write into `.next`
 * @param leaves integration tests that are left out: those that start and kill processes take a quarter of the time
 */
export function checkPlan({ built = [], leaves }: { built?: Stage[]; leaves?: 'processes' } = {}): Plan {
  const integration: Stage = {
    label: 'Integration tests',
    run: (signal) => runVitest('integration', signal, { show: true, leaves }),
  };
  return [client, { sideBySide: [[types, ...built], readings, [units]] }, integration];
}

/** A stage that runs one tool. When the tool fails, the sentence says how to go on. */
function toolStage(label: string, tool: { script: string; args: string[]; sentence: string }): Stage {
  return stageOf(label, (signal) =>
    runToolOrFail(tool.script, tool.args, tool.sentence, { signal, lines: 400 }),
  );
}

/** Next writes types for the routes, which the pages use. */
async function checkTypes(signal: AbortSignal): Promise<void> {
  const hash = await hashFiles(['app', 'next.config.mjs', 'node_modules/next/package.json']);
  const stamp = projectPath('.next', 'types', 'source-hash');
  if (!existsSync(projectPath('next-env.d.ts'))) await rm(stamp, { force: true });
  await unlessDone(stamp, hash, async () => {
    await runToolOrFail('node_modules/next/dist/bin/next', ['typegen'], 'next typegen failed, see above.', {
      signal,
    });
  });
  await mkdir(projectPath('.data'), { recursive: true });
  await runToolOrFail(
    'node_modules/typescript-native/bin/tsc',
    ['--noEmit', '--checkers', '2', '--pretty', String(process.stdout.isTTY === true)],
    'Correct the types.',
    // What it makes it keeps to its end: to look for garbage as often as Go does was a quarter of its work.
    { signal, lines: 400, env: { GOGC: '400' } },
  );
}

/**
 * No expression may take more steps than the text it meets has characters (`eslint.config.mjs`). Files without one are
 * not read: to parse them all was most of the work.
 */
async function checkExpressions(signal: AbortSignal): Promise<void> {
  const args = ['--cache', '--cache-strategy=content', '--cache-location=.data/eslint'];
  await runToolOrFail(
    'node_modules/eslint/bin/eslint.js',
    [...args, ...(await findExpressions(FOREIGN_TEXT_FOLDERS))],
    'Give each expression one way to match a text, or cut the text by position.',
    { signal, lines: 400 },
  );
}

async function checkMigrations(): Promise<void> {
  const folder = projectPath('prisma', 'migrations');
  const change = await pendingSchemaChange(projectPath('prisma', 'schema.prisma'), folder);
  if (change === undefined) return;
  throw new UserError(
    `${change.trim()}\n\nThe schema says this, but no migration does: npm run db:new-migration -- <name>`,
  );
}

/** Lints `openapi.json` by the rules of `redocly.yaml`; a warning fails like an error. Asks nothing of the network. */
async function lintOpenApi(signal: AbortSignal): Promise<void> {
  const output = await runToolOrFail(
    'node_modules/@redocly/cli/bin/cli.js',
    ['lint', 'openapi.json', '--config', 'redocly.yaml'],
    'Correct the procedures or server/api/openapi/, then run npm run openapi.',
    { signal, lines: 200, env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_NOTIFICATIONS: 'true' } },
  );
  if (/You have \d+ warning/.test(output)) throw new UserError(output);
}

/** @param show whether its output is shown as it comes; else only that of a run that failed is, at its end */
async function runVitest(
  project: string,
  signal: AbortSignal,
  { show, leaves }: { show: boolean; leaves?: 'processes' | undefined },
): Promise<Counts> {
  const report = projectPath('.data', 'test-results', `${project.replace('*', '')}.json`);
  await rm(report, { force: true });
  const args = ['run', `--project=${project}`, '--passWithNoTests', '--reporter=default', '--reporter=json'];
  const { code, output } = await runTool(
    'node_modules/vitest/vitest.mjs',
    [...args, `--outputFile.json=${report}`],
    {
      // The tests bring their own database: a DATABASE_URL of the developer is none of their business.
      env: { NODE_ENV: 'test', DATABASE_URL: '', TESTS_LEFT: leaves ?? '' },
      signal,
      show,
    },
  );
  if (code !== 0 && !show) console.log(output);
  return countVitest(await readFile(report, 'utf8').catch(() => ''), code);
}
