import { defineConfig } from 'vitest/config';

/** At most two processes, each running one file after the other. */
const shared = {
  pool: 'forks',
  maxWorkers: 2,
  testTimeout: 30_000,
  hookTimeout: 60_000,
} as const;

/** The packages for platforms have tests of their own: `npm run packages`. */
const packages = ['client/**', 'zapier/**', 'n8n/**', 'bruno/**'];
const exclude = ['**/node_modules/**', '.next/**', '.data/**', 'e2e/**/*.spec.ts', ...packages];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          isolate: true,
          include: ['app', 'server', 'worker', 'prisma', 'scripts', 'test', 'e2e'].map(
            (folder) => `${folder}/**/*.test.ts`,
          ),
          exclude: [...exclude, '**/*.integration.test.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'integration',
          // Loading the service takes longer than most files: it is loaded once, and `setTestSettings` has each file
          // begin as a new process would.
          isolate: false,
          include: ['**/*.integration.test.ts'],
          exclude,
          globalSetup: ['test/global-setup.ts'],
        },
      },
    ],
  },
});
