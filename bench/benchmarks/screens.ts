import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { compare } from '#bench/compare.ts';
import { comparePaint } from '#bench/lab/compare-paint.ts';
import { FILLING } from '#bench/lab/fill-inbox.ts';
import { OPEN_BY_CLICK } from '#bench/lab/inbox-acts.ts';
import { startLab } from '#bench/lab/lab.ts';
import { actFigures, measureActs, perform } from '#bench/lab/measure-acts.ts';
import { startPageStage } from '#bench/lab/page-stage.ts';
import { findChromium } from '#scripts/tools/chromium.ts';
import { closeDatabase } from '#server/core/database/prisma.ts';

/**
 * Measures waiting times in a real browser, in a workspace of 1,000,000 conversations and 50 saved views: the load of the
 * inbox, the first click on a conversation, and each act of a teammate, with their bars. Also compares the first paint of
 * the inbox and the consent page with static pages of the same size.
 */
export async function benchScreens(rounds: number): Promise<void> {
  const lab = await startLab(FILLING);
  try {
    const stage = await startPageStage(lab);
    await using program = stage.program;
    const { url } = program;
    const browser = await chromium.launch({
      executablePath: await findChromium(console.log),
      args: ['--no-sandbox'],
    });
    const open = () => signedIn(browser, url, stage.cookie);
    try {
      await compare('screens', {
        rounds,
        figures: {
          'full load until rows respond': { unit: 'ms', bars: [{ atMost: 800 }] },
          'first click to thread': { unit: 'ms', bars: [{ atMost: 100 }] },
        },
        sides: [{ name: 'the service', measure: () => measureLoad(open, url, stage.workspaceId) }],
      });
      // One round takes ten minutes.
      await compare('screens', {
        rounds: 1,
        figures: actFigures(),
        sides: [{ name: 'the service', measure: () => measureActs(open, url, stage.workspaceId) }],
      });
      await comparePaint(rounds, open, url);
    } finally {
      await browser.close();
    }
  } finally {
    await closeDatabase();
    await lab.stop();
  }
}

/** Opens a browser context with an empty cache and the cookies of a signed-in user. */
async function signedIn(browser: Browser, url: string, cookie: string): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } });
  const cookies = cookie.split('; ').map((pair) => {
    const at = pair.indexOf('=');
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url };
  });
  await context.addCookies(cookies);
  return context;
}

async function measureLoad(open: () => Promise<BrowserContext>, url: string, workspaceId: string) {
  const context = await open();
  try {
    const page = await context.newPage();
    await page.goto(`${url}/inbox`, { waitUntil: 'commit' });
    const load = await untilResponsive(page);
    const { ended } = await perform(OPEN_BY_CLICK, { page, n: 0, workspaceId });
    return { 'full load until rows respond': load, 'first click to thread': ended };
  } finally {
    await context.close();
  }
}

/** Returns the time from the start of the navigation until React has attached handlers to a row, in ms. */
function untilResponsive(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const look = () => {
          const row = document.querySelector('[data-conversation]');
          const answers = row && Object.keys(row).some((key) => key.startsWith('__reactProps'));
          if (answers) resolve(performance.now());
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
}
