import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from '@playwright/test';
import { ExplainedError } from '#scripts/explained-error.ts';
import { runTool } from '#scripts/run-tool.ts';

const run = promisify(execFile);

/**
 * The path of a Chromium that starts: the one of `CHROMIUM_PATH`, one that is installed, or Playwright's. If
 * there is none it is installed where that is possible; else an `ExplainedError` says how.
 */
export async function findChromium(say: (text: string) => void): Promise<string> {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (await starts(given)) return given;
    throw new ExplainedError(
      `CHROMIUM_PATH names ${given}, which does not start: correct it or remove the setting.`,
    );
  }
  const found = await findInstalled();
  if (found) return found;
  say('No Chromium is installed: trying to install one.');
  await install();
  const installed = await findInstalled();
  if (installed) return installed;
  throw new ExplainedError(
    'No Chromium was found and none could be installed: install Chromium or Google Chrome, ' +
      'or name one in CHROMIUM_PATH, then run the tests again.',
  );
}

/** Where a Chromium may be, the most likely first. */
export function candidates(env: Record<string, string | undefined>, platform: string): string[] {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const names = platform === 'win32' ? ['chrome.exe'] : NAMES;
  return [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...USUAL_PLACES];
}

async function findInstalled(): Promise<string | undefined> {
  for (const path of [...candidates(process.env, process.platform), chromium.executablePath()]) {
    if (existsSync(path) && (await starts(path))) return path;
  }
  return undefined;
}

/** Some systems install a stand-in that only says where the real one is to be had. */
async function starts(path: string): Promise<boolean> {
  return await run(path, ['--version'], { timeout: 30_000 }).then(
    () => true,
    () => false,
  );
}

async function install(): Promise<void> {
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const options = {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      maxBuffer: 64 * 1024 * 1024,
    };
    await run('apt-get', ['update'], options).catch(() => undefined);
    await run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], options).catch(
      () => undefined,
    );
    if (await findInstalled()) return;
  }
  await runTool('node_modules/@playwright/test/cli.js', ['install', 'chromium'], { show: true });
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/lib/chromium/chromium',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];
