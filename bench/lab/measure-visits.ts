import type { BrowserContext, Page } from '@playwright/test';
import { LOAD_MS, PAUSE_MS, type Sample } from '#bench/lab/act-setup.ts';
import { percentile } from '#bench/lab/clock.ts';
import { ACTS, OPEN_BY_CLICK } from '#bench/lab/inbox-acts.ts';
import { perform } from '#bench/lab/measure-acts.ts';

const SAMPLES = 6;
/** Time in which a page stores what was opened, in ms. */
const STORE_MS = 3_000;

export const VISIT_FIGURES = [
  'full load until rows respond',
  'first click to thread',
  'later click to thread',
  'next (J)',
  'a letter in the command menu',
  'second visit: full load until rows respond',
  'second visit: first click to thread',
] as const;

type Visits = Record<(typeof VISIT_FIGURES)[number], number>;

/** Visits the inbox twice with one browser profile, and opens conversations in it. */
export async function measureVisits(
  open: () => Promise<BrowserContext>,
  url: string,
  workspaceId: string,
): Promise<Visits> {
  const context = await open();
  try {
    const page = await context.newPage();
    const samples = async (name: keyof typeof ACTS & string, of: 'shown' | 'ended') => {
      const times: number[] = [];
      const act = ACTS[name];
      for (let n = 0; act && n < SAMPLES; n += 1) {
        const sample: Sample = { page, n: n + 1, workspaceId };
        times.push((await perform(act, sample))[of]);
        await page.waitForTimeout(PAUSE_MS);
      }
      // The first one loads the scripts of the act.
      return percentile(times.slice(1), 0.5);
    };
    const load = await loadInbox(page, url);
    const { ended: firstClick } = await perform(OPEN_BY_CLICK, { page, n: 0, workspaceId });
    await page.waitForTimeout(LOAD_MS);
    const figures = {
      'full load until rows respond': load,
      'first click to thread': firstClick,
      'later click to thread': await samples('open (click)', 'ended'),
      'next (J)': await samples('open the next (J)', 'shown'),
      'a letter in the command menu': await samples('command menu, a letter', 'shown'),
    };
    await page.waitForTimeout(STORE_MS);
    const loadAgain = await loadInbox(page, url);
    const { ended: clickAgain } = await perform(OPEN_BY_CLICK, { page, n: 2, workspaceId });
    return {
      ...figures,
      'second visit: full load until rows respond': loadAgain,
      'second visit: first click to thread': clickAgain,
    };
  } finally {
    await context.close();
  }
}

/** Loads the inbox. Returns the time until React has attached handlers to a row, in ms. */
export async function loadInbox(page: Page, url: string): Promise<number> {
  await page.goto(`${url}/inbox`, { waitUntil: 'commit' });
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
