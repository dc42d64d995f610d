import { defineConfig } from '@playwright/test';
import { endToEndAddresses, endToEndEnvironment, LANES } from '#scripts/start/end-to-end-environment.ts';
import { installedChromium } from '#scripts/tools/chromium.ts';

const isRoot = process.getuid?.() === 0;
const executablePath = await installedChromium();
const addresses = endToEndAddresses(process.env);

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  // These end a flow that hangs, and no other: on a machine with a load of 20 on two cores a flow takes 15 times as long.
  timeout: 600_000,
  expect: { timeout: 90_000 },
  retries: 0,
  // As many flows run at once as there are lanes, each with a service of its own: most wait half of their time.
  workers: LANES.length,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json', { outputFile: '.data/test-results/end-to-end.json' }]],
  use: {
    baseURL: addresses.service,
    actionTimeout: 90_000,
    navigationTimeout: 180_000,
    // Fewer pictures to draw, and nothing to wait for.
    contextOptions: { reducedMotion: 'reduce' },
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        // Chromium's sandbox does not work for root.
        ...(isRoot ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // All lanes have two cores between them: threads that collect garbage side by side wait for each other, and a page
        // does not live long enough for what the optimizing compiler takes. A quarter less of the renderers' time.
        '--js-flags=--single-threaded-gc --no-opt',
      ],
    },
  },
  webServer: LANES.map((lane) => ({
    command: `"${process.execPath}" scripts/commands/start-fresh.ts`,
    env: endToEndEnvironment(process.env, lane),
    url: `${endToEndAddresses(process.env, lane).service}/readyz`,
    timeout: 600_000,
    // Its own order of stopping, the database last; without this it would be killed at once.
    gracefulShutdown: { signal: 'SIGTERM', timeout: 120_000 },
    stdout: 'pipe',
    stderr: 'pipe',
  })),
});
