import type { Page } from '@playwright/test';
import type { Watch } from '#bench/lab/time-act.ts';
import { db } from '#server/core/database/prisma.ts';

/** Pause of a teammate between two acts, in ms. */
export const PAUSE_MS = 250;

/** Pause after a page was loaded, until its scripts respond, in ms. */
export const LOAD_MS = 1_000;

/** A sample of an act. `n` counts the samples of the act from 0. */
export type Sample = { page: Page; n: number; workspaceId: string };

type Work = (sample: Sample) => Promise<unknown>;

/** An act of a teammate in the inbox: one key or click. */
export type Act = Omit<Watch, 'event' | 'ends'> & {
  /** Page that is loaded before the first sample. */
  path: string;
  before?: Work;
  /** Keyboard key, or a function that returns it. */
  press?: string | ((sample: Sample) => Promise<string>);
  /** Selector of the element to click, when no key is pressed. */
  click?: (n: number) => string;
  ends?: string | ((n: number) => string);
  /** Target for `ends` in ms. */
  endsAtMost?: number;
  after?: Work;
};

export const BOX = '[aria-label="Composer"] textarea';
export const DIALOG = '[role="dialog"]';
export const FORM = `${DIALOG} form`;
export const NEW_TAG = '[aria-label="New tag"]';

/** Undo button of the newest toast. */
export const UNDO = '[data-sonner-toast][data-front="true"] >> text="Undo"';

export const pressEscape: Work = ({ page }) => page.keyboard.press('Escape');

/** Opens the next conversation and waits for its details. */
export const next: Work = async ({ page }) => {
  const before = await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    return document.querySelector<HTMLElement>('[data-opened]')?.dataset.opened;
  });
  await page.keyboard.press('j');
  await page.waitForFunction((id) => {
    const opened = document.querySelector<HTMLElement>('[data-opened]');
    return opened && opened.dataset.opened !== id && opened.querySelector('#conversation-details select');
  }, before);
  await page.waitForTimeout(PAUSE_MS);
};

/** Opens the next conversation, then presses a key and waits for an element. */
export function nextThen(key: string, selector: string): Work {
  return async (sample) => {
    const { page } = sample;
    await next(sample);
    await page.keyboard.press(key);
    await page.locator(selector).first().waitFor();
    await page.waitForTimeout(PAUSE_MS);
  };
}

/** Opens the next conversation and writes a text with the sample's number. */
export function write(key: 'r' | 'n', text: string): Work {
  return async (sample) => {
    await nextThen(key, `${BOX}:focus`)(sample);
    await sample.page.locator(BOX).fill(text && `${text} ${sample.n}`);
  };
}

export const clearBox: Work = async (sample) => {
  await pressEscape(sample);
  await sample.page.locator(BOX).fill('');
};

/** Before the first sample: removes the tags that earlier runs added to the same conversations. */
export const removeBenchTags: Work = async ({ n, workspaceId }) => {
  if (n > 0) return;
  await db().conversationTag.deleteMany({ where: { workspaceId, key: { startsWith: 'bench ' } } });
};

/** Focuses a select and returns the key that changes its value. */
export function arrowIn(selector: string) {
  return async ({ page }: Sample) => {
    const select = page.locator(selector);
    await select.focus();
    const isLast = await select.evaluate((one: HTMLSelectElement) => one.selectedIndex === one.length - 1);
    return isLast ? 'ArrowUp' : 'ArrowDown';
  };
}

/** Changes the nth field of the details. */
export function field(n: number): Act {
  return {
    path: '/inbox',
    before: next,
    press: arrowIn(`#conversation-details select >> nth=${n}`),
    shows: `$$('#conversation-details select')[${n}]?.value`,
  };
}

/** Opens a dialog or panel of the next conversation by its key. */
export function opens(key: string, selector = FORM): Act {
  return { path: '/inbox', before: next, press: key, shows: `$('${selector}') !== null`, after: pressEscape };
}

/** Opens a dialog or panel of the next conversation by its button. */
export function opensByClick(button: string, selector = DIALOG): Act {
  return {
    path: '/inbox',
    before: next,
    click: () => button,
    shows: `$('${selector}') !== null`,
    after: pressEscape,
  };
}
