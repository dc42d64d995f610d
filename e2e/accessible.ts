import { expect, type Page } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';
import { COLOR_SCHEMES } from './color-schemes.ts';

/** What may differ between a light and a dark screen: all else is the same document. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** Nothing for axe to find in the page as it is open. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectFinished(page);
  await expectNoViolations(page);
}

/** The same for the page in light and dark and on a phone, one after the other; it is left as it was. */
export async function expectAccessibleEverywhere(page: Page): Promise<void> {
  const before = page.viewportSize();
  await expectFinished(page);
  for (const { name, colorScheme, viewport } of COLOR_SCHEMES) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await expectNoViolations(page, name === 'dark' ? COLOR_RULES : undefined);
  }
  await page.emulateMedia({ colorScheme: null });
  if (before) await page.setViewportSize(before);
}

async function expectFinished(page: Page): Promise<void> {
  await page.waitForLoadState();
  // The title may come last of all, and grey lines stand where something is still to come.
  await expect(page).toHaveTitle(/./);
  await expect(page.locator('.animate-pulse')).toHaveCount(0);
}

/** Nothing for axe to find, and nothing that a narrow screen would have to scroll sideways for. */
async function expectNoViolations(page: Page, rules?: string[]): Promise<void> {
  await page.evaluate(settled);
  await bringAxe(page);
  const options = {
    // Only what it finds wrong is described: to name every element that is right takes most of the time.
    resultTypes: ['violations'],
    ...(rules ? { runOnly: { type: 'rule', values: rules } } : {}),
  } satisfies RunOptions;
  const { found, overflow } = await page.evaluate(examine, options);
  expect(found).toEqual([]);
  expect(overflow).toBeLessThanOrEqual(0);
}

/** A document and each of its frames, which are all of this site, gets axe once: to read it in takes as long as to run it. */
async function bringAxe(page: Page): Promise<void> {
  for (const frame of page.frames()) {
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe.source);
  }
}

/** In the browser: what axe finds wrong in the page and its frames, and by how many pixels the page is too wide. */
async function examine(options: RunOptions): Promise<{ found: string[]; overflow: number }> {
  const { axe } = window as unknown as { axe: typeof import('axe-core') };
  const { violations } = await axe.run(document, options);
  const { scrollWidth, clientWidth } = document.documentElement;
  return {
    found: violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
    overflow: scrollWidth - clientWidth,
  };
}

/** Resolves when nothing fades or moves any more: half-way colours are no one's contrast. */
async function settled(): Promise<void> {
  const finite = document
    .getAnimations()
    .filter((animation) => animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
  await Promise.allSettled(finite.map((animation) => animation.finished));
}
