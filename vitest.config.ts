import { defineConfig } from 'vitest/config';

/** At most two processes, each running one file after the other, with nothing shared between files. */
const shared = {
  pool: 'forks',
  isolate: true,
  maxWorkers: 2,
  testTimeout: 30_000,
  hookTimeout: 60_000,
} as const;

const exclude = ['**/node_modules/**', '.next/**', '.data/**', 'e2e/**'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['app', 'server', 'worker', 'prisma', 'scripts', 'test'].map(
            (folder) => `${folder}/**/*.test.ts`,
          ),
          exclude: [...exclude, '**/*.integration.test.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'integration',
          include: ['**/*.integration.test.ts'],
          exclude,
          globalSetup: ['test/global-setup.ts'],
        },
      },
    ],
  },
});
