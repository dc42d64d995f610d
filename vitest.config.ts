import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { SpreadWaiting, startsProcesses } from '#scripts/check/spread-waiting.ts';

/** Each process runs one file after the other; what a file leaves behind in it, the next one meets. */
const shared = {
  pool: 'forks',
  isolate: false,
  // They end a test that hangs, and no other: on a machine with a load of 20 on two cores a test takes 15 times as long.
  testTimeout: 300_000,
  hookTimeout: 600_000,
} as const;

/** The packages for platforms have tests of their own: `npm run packages`. */
const exclude = ['**/node_modules/**', '.next/**', '.data/**', 'packages/**'];

const folders = ['app', 'server', 'worker', 'prisma', 'scripts', 'test', 'stand-ins', 'bench'];
const units = folders.map((folder) => `${folder}/**/*.test.ts`);
const integrations = folders.map((folder) => `${folder}/**/*.integration.test.ts`);
/** What `npm run check` leaves out (`scripts/check/check-stages.ts`). */
const left = process.env.TESTS_LEFT === 'processes' ? globSync(integrations).filter(startsProcesses) : [];
/** A module can only be replaced in a process that has not loaded it: these files have one of their own each. */
const replacing = globSync(units).filter(
  (file) => !file.endsWith('.integration.test.ts') && /\bvi\.mock\(/.test(readFileSync(file, 'utf8')),
);

export default defineConfig({
  test: {
    sequence: { sequencer: SpreadWaiting },
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          maxWorkers: 2,
          include: units,
          exclude: [...exclude, ...integrations, ...replacing],
        },
      },
      {
        test: {
          ...shared,
          name: 'unit-replacing',
          isolate: true,
          maxWorkers: 2,
          include: replacing,
          exclude,
        },
      },
      {
        test: {
          ...shared,
          name: 'integration',
          // Loading the service takes longer than most files: it is loaded once, and `setTestSettings` has each file
          // begin as a new process would. Most files wait most of the time, for PostgreSQL or for what they started: six keep two cores busy.
          maxWorkers: 6,
          // Most of what a test makes is garbage by its end: a large room of one size for what is young is collected seldom, and by one
          // thread, as both cores are busy.
          execArgv: ['--max-semi-space-size=32', '--min-semi-space-size=32', '--single-threaded-gc'],
          // Node loads the service as it does for users, from the compile cache: to rewrite a thousand modules for Vite's
          // own loader, and to hand them to six processes, kept a core busy for a minute. No such file replaces a module.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          sequence: { groupOrder: 1 },
          include: integrations,
          exclude: [...exclude, ...left],
          globalSetup: ['test/global-setup.ts'],
        },
      },
    ],
  },
});
