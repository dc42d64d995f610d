import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { findInstalled, findProgram, type WantedProgram } from '#scripts/tools/find-program.ts';
import { runTool } from '#scripts/tools/run-tool.ts';
import { UserError } from '#server/core/user-error.ts';

/** Chromium without windows and menus, which saves processor time. */
const HEADLESS_SHELL: WantedProgram = {
  debianPackage: 'chromium-headless-shell',
  setting: 'CHROMIUM_PATH',
  places: ['/usr/lib/chromium/chromium-headless-shell'],
};

const CHROMIUM: WantedProgram = {
  debianPackage: 'chromium',
  setting: 'CHROMIUM_PATH',
  names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'chrome.exe'],
  places: [
    '/opt/google/chrome/chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    chromium.executablePath(),
  ],
};

/**
 * Returns the path of a working Chromium: `CHROMIUM_PATH`, the system's headless shell, another installed one, or
 * Playwright's. Installs a missing one where possible.
 * @throws UserError with instructions when there is none
 */
export async function findChromium(say: (text: string) => void): Promise<string> {
  const found = (await findProgram(HEADLESS_SHELL, say)) ?? (await findProgram(CHROMIUM, say));
  if (found) return found;
  await runTool('node_modules/@playwright/test/cli.js', ['install', 'chromium'], { show: true });
  if (existsSync(chromium.executablePath())) return chromium.executablePath();
  throw new UserError(
    'No Chromium was found and none could be installed: install Chromium or Google Chrome, ' +
      'or set CHROMIUM_PATH, then run the tests again.',
  );
}

/**
 * Returns an installed Chromium without installing one, because tools that start no browser also read the
 * configuration.
 */
export async function installedChromium(): Promise<string | undefined> {
  const given = process.env.CHROMIUM_PATH;
  return given || ((await findInstalled(HEADLESS_SHELL)) ?? (await findInstalled(CHROMIUM)));
}
