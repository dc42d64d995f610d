import type { BrowserContext, Page } from '@playwright/test';
import type { FigureOf } from '#bench/compare.ts';
import { type Act, LOAD_MS, PAUSE_MS, type Sample } from '#bench/lab/act-setup.ts';
import { percentile } from '#bench/lab/clock.ts';
import { ACTS } from '#bench/lab/inbox-acts.ts';
import { type Times, timeAct } from '#bench/lab/time-act.ts';
import { describeError } from '#server/core/user-error.ts';

/** Measured samples of each act. Another one precedes them, because the first use of an act loads its scripts. */
const SAMPLES = 10;

const SHOWS_AT_MOST_MS = 50;

const CONTROL = 'control: an attribute (F9)';
const FIRST_USE = 'slowest first use of an act';

/** Returns the acts that `BENCH_ROWS` selects by a part of their names. */
function chosenActs(): [string, Act][] {
  const chosen = process.env.BENCH_ROWS?.split(',') ?? [''];
  return Object.entries(ACTS).filter(([name]) => chosen.some((part) => name.includes(part)));
}

/** Figures of `measureActs`. */
export function actFigures(): Record<string, FigureOf> {
  const figures: Record<string, FigureOf> = { [CONTROL]: { unit: 'ms' }, [FIRST_USE]: { unit: 'ms' } };
  for (const [name, { ends, endsAtMost }] of chosenActs()) {
    figures[name] = { unit: 'ms', bars: [{ atMost: SHOWS_AT_MOST_MS }] };
    if (ends !== undefined)
      figures[loaded(name)] = { unit: 'ms', bars: endsAtMost ? [{ atMost: endsAtMost }] : [] };
  }
  return figures;
}

function loaded(name: string): string {
  return `${name}, until loaded`;
}

/**
 * Performs each act of the inbox, alternating with a key whose listener only sets an attribute. An act that cannot be
 * performed has no figure and misses its target, and the others go on.
 * @returns the 95th percentile of each act in ms
 */
export async function measureActs(open: () => Promise<BrowserContext>, url: string, workspaceId: string) {
  const context = await open();
  const page = await context.newPage();
  const figures: Record<string, number> = {};
  const control: number[] = [];
  const firstUses: number[] = [];
  for (const [name, act] of chosenActs()) {
    const [first, ...others] = await repeat(act, { page, url, workspaceId, control }).catch(
      (error: unknown) => {
        console.error(`${name}: ${describeError(error)}`);
        return [];
      },
    );
    if (first) firstUses.push(first.shown);
    const p95 = (of: 'shown' | 'ended') =>
      percentile(
        others.map((each) => each[of]),
        0.95,
      );
    figures[name] = p95('shown');
    if (act.ends !== undefined) figures[loaded(name)] = p95('ended');
  }
  await context.close();
  return { ...figures, [CONTROL]: percentile(control, 0.95), [FIRST_USE]: Math.max(...firstUses) };
}

/** Performs an act once and then for each sample, and the control after each. */
async function repeat(
  act: Act,
  given: { page: Page; url: string; workspaceId: string; control: number[] },
): Promise<Times[]> {
  const { page, url, workspaceId, control } = given;
  await page.goto(`${url}${act.path}`);
  await page.waitForTimeout(LOAD_MS);
  const times: Times[] = [];
  for (let n = 0; n <= SAMPLES; n += 1) {
    times.push(await perform(act, { page, n, workspaceId }));
    await page.waitForTimeout(PAUSE_MS);
    control.push(await timeControl(page));
  }
  return times;
}

export async function perform(
  { before, press, click, shows, ends, after }: Act,
  sample: Sample,
): Promise<Times> {
  const { page, n } = sample;
  await before?.(sample);
  const key = typeof press === 'function' ? await press(sample) : press;
  const watch = {
    event: click ? ('click' as const) : ('keydown' as const),
    shows,
    ends: typeof ends === 'function' ? ends(n) : ends,
  };
  const times = await timeAct(page, watch, () =>
    click ? page.locator(click(n)).click() : page.keyboard.press(key ?? ''),
  );
  await after?.(sample);
  return times;
}

async function timeControl(page: Page): Promise<number> {
  await page.evaluate(() => {
    const set = ({ timeStamp }: Event) => document.body.setAttribute('data-control', `${timeStamp}`);
    window.addEventListener('keydown', set, { once: true });
  });
  const { shown } = await timeAct(page, { event: 'keydown', shows: 'document.body.dataset.control' }, () =>
    page.keyboard.press('F9'),
  );
  return shown;
}
