import { type Browser, type BrowserContext, chromium } from '@playwright/test';
import { compare } from '#bench/compare.ts';
import { comparePaint } from '#bench/lab/compare-paint.ts';
import { FILLING } from '#bench/lab/fill-inbox.ts';
import { OPEN_BY_CLICK } from '#bench/lab/inbox-acts.ts';
import { startLab } from '#bench/lab/lab.ts';
import { actFigures, measureActs, perform } from '#bench/lab/measure-acts.ts';
import { loadInbox, measureVisits, VISIT_FIGURES } from '#bench/lab/measure-visits.ts';
import { startMeasured } from '#bench/lab/measured-program.ts';
import { PAGES, startPageStage } from '#bench/lab/page-stage.ts';
import { findChromium } from '#scripts/tools/chromium.ts';
import { closeDatabase } from '#server/core/database/prisma.ts';

/**
 * Measures waiting times in a real browser, in a workspace of 1,000,000 conversations and 50 saved views: the load of the
 * inbox, the first click on a conversation, and each act of a teammate, with their bars. Also compares the first paint of
 * the inbox and the consent page with static pages of the same size. With `BENCH_BESIDE`, the folder of another
 * build, compares visits of both instead.
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
    const { BENCH_BESIDE: beside } = process.env;
    try {
      if (beside !== undefined) {
        await using other = await startMeasured(...PAGES, beside);
        const openOther = () => signedIn(browser, other.url, stage.cookie);
        return await compare('screens: two builds', {
          rounds,
          figures: Object.fromEntries(VISIT_FIGURES.map((name) => [name, { unit: 'ms' }])),
          sides: [
            { name: 'this build', measure: () => measureVisits(open, url, stage.workspaceId) },
            { name: beside, measure: () => measureVisits(openOther, other.url, stage.workspaceId) },
          ],
        });
      }
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
    const load = await loadInbox(page, url);
    const { ended } = await perform(OPEN_BY_CLICK, { page, n: 0, workspaceId });
    return { 'full load until rows respond': load, 'first click to thread': ended };
  } finally {
    await context.close();
  }
}
