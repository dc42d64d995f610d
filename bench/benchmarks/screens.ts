import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { compare } from '#bench/compare.ts';
import { percentile } from '#bench/lab/clock.ts';
import { comparePaint } from '#bench/lab/compare-paint.ts';
import { startLab } from '#bench/lab/lab.ts';
import { startPageStage } from '#bench/lab/page-stage.ts';
import { scaled } from '#bench/lab/scaled.ts';
import { findChromium } from '#scripts/tools/chromium.ts';
import { closeDatabase } from '#server/core/database/prisma.ts';

const CONVERSATIONS = scaled(20_000);
const CLICKS = 30;
const TABS = ['Pending', 'Solved', 'Closed', 'Open'];

/**
 * Measures waiting times in a real browser: inbox, conversation, tab and search, each with its own bar. Also
 * compares the first paint of the inbox and the consent page with static pages of the same size.
 */
export async function benchScreens(rounds: number): Promise<void> {
  const lab = await startLab();
  try {
    const { program, cookie } = await startPageStage(lab.url, CONVERSATIONS);
    await using _program = program;
    const browser = await chromium.launch({
      executablePath: await findChromium(console.log),
      args: ['--no-sandbox'],
    });
    try {
      await compare('screens', {
        rounds,
        figures: {
          'full load until rows respond': { unit: 'ms', bars: [{ atMost: 800 }] },
          'first click to thread': { unit: 'ms', bars: [{ atMost: 100 }] },
          'click to thread, median': { unit: 'ms' },
          'click to thread, 95th percentile': { unit: 'ms', bars: [{ atMost: 100 }] },
          'tab, 95th percentile': { unit: 'ms', bars: [{ atMost: 150 }] },
          'search, from the last key': { unit: 'ms' },
        },
        sides: [{ name: 'the service', measure: () => measure(browser, program.url, cookie) }],
      });
      await comparePaint(rounds, () => signedIn(browser, program.url, cookie), program.url);
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

async function measure(browser: Browser, url: string, cookie: string) {
  const context = await signedIn(browser, url, cookie);
  try {
    const page = await context.newPage();
    await page.goto(`${url}/inbox`, { waitUntil: 'commit' });
    const load = await untilResponsive(page);
    const clicks: number[] = [];
    const rows = Math.min(CLICKS, await page.locator('[data-conversation]').count());
    for (let n = 0; n < rows; n += 1) clicks.push(await clickRow(page, n));
    const tabs: number[] = [];
    for (const tab of [...TABS, ...TABS]) tabs.push(await clickTab(page, tab));
    return {
      'full load until rows respond': load,
      'first click to thread': clicks[0] ?? 0,
      'click to thread, median': percentile(clicks, 0.5),
      'click to thread, 95th percentile': percentile(clicks, 0.95),
      'tab, 95th percentile': percentile(tabs, 0.95),
      'search, from the last key': await search(page),
    };
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

/**
 * Returns the time from an input event to the paint of its result, in ms. `shown` is a JavaScript expression
 * that becomes true in the frame before.
 */
async function timed(page: Page, event: string, shown: string, act: () => Promise<unknown>): Promise<number> {
  const measured = page.evaluate(
    ([type, expression]) =>
      new Promise<number>((resolve) => {
        const isShown = new Function(`return ${expression}`);
        document.addEventListener(
          type ?? '',
          ({ timeStamp }) => {
            const look = () => {
              if (!isShown()) return requestAnimationFrame(look);
              return requestAnimationFrame((painted) => resolve(painted - timeStamp));
            };
            look();
          },
          { once: true, capture: true },
        );
      }),
    [event, shown],
  );
  await act();
  return measured;
}

async function clickRow(page: Page, n: number): Promise<number> {
  const row = page.locator('[data-conversation]').nth(n);
  await row.scrollIntoViewIfNeeded();
  const id = await row.getAttribute('data-conversation');
  // The pointer presses immediately after it arrives: no prefetch on hover has happened.
  return timed(
    page,
    'mousedown',
    `document.querySelector('[data-opened="${id}"] [aria-label="Messages"]') !== null`,
    () => row.click(),
  );
}

async function clickTab(page: Page, tab: string): Promise<number> {
  const status = tab.toLowerCase();
  const listed = status === 'open' ? ':not([href*="status="])' : `[href*="status=${status}"]`;
  return timed(
    page,
    'mousedown',
    `document.querySelector('[data-conversation-list] [data-conversation]${listed}') !== null`,
    () => page.getByRole('navigation', { name: 'Status' }).getByRole('link', { name: tab }).click(),
  );
}

async function search(page: Page): Promise<number> {
  const box = page.getByRole('textbox', { name: 'Search conversations' });
  await box.click();
  return timed(
    page,
    'input',
    `document.querySelector('[data-conversation-list] [data-conversation][href*="search="]') !== null`,
    () => box.fill('refund'),
  );
}
