import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { schemaNeedsMigration } from '#prisma/new-migration.ts';
import { checkLicences } from '#scripts/check/check-licences.ts';
import { checkManifests } from '#scripts/check/check-manifests.ts';
import { packagesPlan } from '#scripts/check/check-packages.ts';
import { type Counts, countVitest } from '#scripts/check/count-results.ts';
import { findExpressions } from '#scripts/check/find-expressions.ts';
import { runEndToEnd } from '#scripts/check/run-end-to-end.ts';
import { type Plan, type Stage, stageOf } from '#scripts/check/run-plan.ts';
import type { Tier } from '#scripts/check/tiers.ts';
import { buildScreens } from '#scripts/tools/build-screens.ts';
import { COMPILE_CACHE } from '#scripts/tools/compile-cache.ts';
import { generateClient } from '#scripts/tools/generate-client.ts';
import { hashFiles, unlessDone } from '#scripts/tools/hash-files.ts';
import { runTool, runToolOrFail } from '#scripts/tools/run-tool.ts';
import { projectPath } from '#server/core/project.ts';
import { UserError } from '#server/core/user-error.ts';

const FOREIGN_TEXT_FOLDERS = ['app', 'server', 'worker', 'stand-ins'];

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

const client = stageOf('Prisma client', (signal) => generateClient(() => undefined, signal));

const types = stageOf('Types', checkTypes);
const readings: Stage[] = [
  toolStage('Format and lint', {
    script: 'node_modules/@biomejs/biome/bin/biome',
    args: ['ci', '--max-diagnostics=50', '.'],
    sentence: 'Format with npm run format; correct the rest.',
  }),
  stageOf('Expressions', checkExpressions),
  // Order of folders, cycles, development packages in product code.
  toolStage('Imports', {
    script: 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
    args: ['--config', '.dependency-cruiser.mjs', ...IMPORTING_FOLDERS],
    sentence: 'Move what is needed to the folder of the file that needs it, or to one below.',
  }),
  // Unused files, exports and packages (`knip.json`).
  toolStage('Dead exports', {
    script: 'node_modules/knip/bin/knip.js',
    args: ['--no-config-hints'],
    sentence: 'Remove unused code, and the keyword `export` where only the file itself uses the export.',
  }),
  stageOf('Migrations', checkMigrations),
  stageOf('OpenAPI lint', lintOpenApi),
  stageOf('Licences', checkLicences),
  stageOf('Manifests', checkManifests),
];

const units: Stage = { label: 'Unit tests', run: (signal) => runVitest('unit*', signal, { show: false }) };

/** Returns the stages of the short loop: static checks and unit tests. */
export function checkPlan(): Plan {
  return [client, { sideBySide: [[types], readings, [units]] }];
}

/**
 * Returns the stages of `npm test`. Integration tests wait a third of the time, so all stages without a browser run in
 * parallel.
 */
export function testPlan(tier: Tier): Plan {
  const integration: Stage = {
    label: 'Integration tests',
    run: (signal) => runVitest('integration', signal, { show: true, tier }),
  };
  const flows: Stage = { label: 'End to end', run: (signal) => runEndToEnd(signal, { tier }) };
  // Types and build both write to `.next`.
  const build = stageOf('Build', (signal) => buildScreens(() => undefined, signal));
  return [
    client,
    { sideBySide: [[types, build], readings, [units], [integration]] },
    // Installing packages mostly waits.
    tier === 'all' ? { sideBySide: [packagesPlan(), [flows]] } : flows,
  ];
}

/** Returns a stage that runs one tool. `sentence` tells how to fix a failure. */
function toolStage(label: string, tool: { script: string; args: string[]; sentence: string }): Stage {
  return stageOf(label, (signal) =>
    runToolOrFail(tool.script, tool.args, tool.sentence, { signal, lines: 400 }),
  );
}

/** Checks types, after Next.js has generated those of the routes. */
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
    // The compiler frees little memory before it ends: Go's default collection took a quarter of its time.
    { signal, lines: 400, env: { GOGC: '400' } },
  );
}

/**
 * Refuses regular expressions with super-linear backtracking (`eslint.config.mjs`). Only files with an expression are
 * parsed, to save time.
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
  const schemaFile = projectPath('prisma', 'schema.prisma');
  if (!(await schemaNeedsMigration(schemaFile, projectPath('prisma', 'migrations')))) return;
  throw new UserError(
    'The schema has changed since the last migration: run npm run db:new-migration -- <name>, and commit both.',
  );
}

/** Lints both OpenAPI documents by the rules of `redocly.yaml`, without network access. A warning fails too. */
async function lintOpenApi(signal: AbortSignal): Promise<void> {
  const output = await runToolOrFail(
    'node_modules/@redocly/cli/bin/cli.js',
    ['lint', 'openapi.json', 'openapi-developer.json', '--config', 'redocly.yaml'],
    'Correct the procedures or server/api/openapi/, then run npm run openapi.',
    { signal, lines: 200, env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_NOTIFICATIONS: 'true' } },
  );
  if (/You have \d+ warning/.test(output)) throw new UserError(output);
}

/** @param show whether to show output as it arrives. Otherwise only the output of a failed run is shown */
async function runVitest(
  project: string,
  signal: AbortSignal,
  { show, tier = 'all' }: { show: boolean; tier?: Tier },
): Promise<Counts> {
  const report = projectPath('.data', 'test-results', `${project.replace('*', '')}.json`);
  await rm(report, { force: true });
  const args = ['run', `--project=${project}`, '--passWithNoTests', '--reporter=default', '--reporter=json'];
  const { code, output } = await runTool(
    'node_modules/vitest/vitest.mjs',
    [...args, `--outputFile.json=${report}`],
    {
      // Tests use their own database, never the developer's.
      env: { ...COMPILE_CACHE, NODE_ENV: 'test', DATABASE_URL: '', TEST_TIER: tier },
      signal,
      show,
    },
  );
  if (code !== 0 && !show) console.log(output);
  return countVitest(await readFile(report, 'utf8').catch(() => ''), code);
}
