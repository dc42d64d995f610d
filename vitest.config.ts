import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { SpreadWaiting } from '#scripts/check/spread-waiting.ts';
import { isCostly } from '#scripts/check/tiers.ts';

/** A process runs several files one after another, in the same global state. */
const shared = {
  pool: 'forks' as const,
  isolate: false,
  // Timeouts only end tests that hang: a test takes 15 times as long on two cores with a load of 20.
  testTimeout: 300_000,
  hookTimeout: 600_000,
  // Most allocations are short-lived: a large, fixed young generation with a single-threaded collector saves
  // processor time.
  execArgv: ['--max-semi-space-size=32', '--min-semi-space-size=32', '--single-threaded-gc'],
};

/**
 * Node loads modules itself, as in production: Vite's loader takes a minute of a core to rewrite a thousand modules.
 * Such tests can neither replace a module nor load a screen.
 */
const loadedByNode = { experimental: { viteModuleRunner: false, nodeLoader: false } } as const;

/** Packages have their own tests: `npm run packages`. */
const exclude = ['**/node_modules/**', '.next/**', '.data/**', 'packages/**'];

const folders = ['app', 'server', 'worker', 'prisma', 'scripts', 'test', 'stand-ins', 'bench'];
/** Node cannot load the components that these import. */
const screens = ['app/**/*.test.ts'];
const units = folders.map((folder) => `${folder}/**/*.test.ts`);
const integrations = folders.map((folder) => `${folder}/**/*.integration.test.ts`);
/** Files that `npm test` leaves out without `--all` (`scripts/check/check-stages.ts`). */
const left = process.env.TEST_TIER === 'everyday' ? globSync(integrations).filter(isCostly) : [];
/** A module can only be replaced before it is loaded, so each of these files has its own process. */
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
          ...loadedByNode,
          name: 'unit',
          maxWorkers: 2,
          include: units,
          exclude: [...exclude, ...integrations, ...replacing, ...screens],
        },
      },
      {
        test: {
          ...shared,
          name: 'unit-screens',
          maxWorkers: 2,
          include: screens,
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
          ...loadedByNode,
          name: 'integration',
          // Loading the service takes longer than most files, so processes are reused, and `setTestSettings` resets
          // each file. Most files wait most of the time: six keep two cores busy.
          maxWorkers: 6,
          sequence: { groupOrder: 1 },
          include: integrations,
          exclude: [...exclude, ...left],
          globalSetup: ['test/global-setup.ts'],
        },
      },
    ],
  },
});
