import { defineConfig } from '@playwright/test';
import { endToEndAddresses, endToEndEnvironment, LANES } from '#scripts/start/end-to-end-environment.ts';
import { installedChromium } from '#scripts/tools/chromium.ts';
import { COMPILE_CACHE } from '#scripts/tools/compile-cache.ts';

const isRoot = process.getuid?.() === 0;
const executablePath = await installedChromium();
const addresses = endToEndAddresses(process.env);

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  // Timeouts only end tests that hang: a test takes 15 times as long on two cores with a load of 20.
  timeout: 600_000,
  expect: { timeout: 90_000 },
  retries: 0,
  // One worker per lane, each with its own service.
  workers: LANES.length,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json', { outputFile: '.data/test-results/end-to-end.json' }]],
  use: {
    baseURL: addresses.service,
    actionTimeout: 90_000,
    navigationTimeout: 180_000,
    // Wide enough for the conversation's details.
    viewport: { width: 1440, height: 720 },
    // No animations to draw or wait for.
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
        // The lanes share two cores: parallel garbage collection and the optimizing compiler cost a quarter of the
        // renderers' time.
        '--js-flags=--single-threaded-gc --disable-optimizing-compilers',
      ],
    },
  },
  webServer: LANES.map((lane) => ({
    command: `"${process.execPath}" scripts/commands/start-fresh.ts`,
    env: { ...endToEndEnvironment(process.env, lane), ...COMPILE_CACHE },
    url: `${endToEndAddresses(process.env, lane).service}/readyz`,
    timeout: 600_000,
    // The service stops in its own order, the database last. Without this Playwright would kill it.
    gracefulShutdown: { signal: 'SIGTERM', timeout: 120_000 },
    stdout: 'pipe',
    stderr: 'pipe',
  })),
});
