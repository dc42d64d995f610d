import { expect, type Page } from '@playwright/test';
import { bringAxe, COLOR_RULES, examine, findOthers, type Question } from './axe.ts';
import { COLOR_SCHEMES } from './color-schemes.ts';

const [LIGHT, DARK, PHONE] = COLOR_SCHEMES;

type Look = { viewport: { width: number; height: number }; colorScheme: 'light' | 'dark' };

/** Nothing for axe to find in the page as it is open. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectFinished(page);
  await expectNothingFound(page, {});
}

/**
 * The same for the page in light and dark and on a phone; it is left as it was. It is one document in all of them, so
 * each rule is asked of each element once: those about colours in light and dark, and on the phone of what looks other
 * there; all the rest where there is room and on the phone.
 */
export async function expectAccessibleEverywhere(page: Page): Promise<void> {
  const before = page.viewportSize();
  await expectFinished(page);
  await show(page, LIGHT);
  await expectNothingFound(page, {});
  await page.evaluate(findOthers);

  await show(page, PHONE);
  await expectNothingFound(page, { without: COLOR_RULES });
  const others = await page.evaluate(findOthers);
  if (others > 0) {
    await expectNothingFound(page, { only: COLOR_RULES, ofOthers: true });
    await show(page, { ...PHONE, colorScheme: DARK.colorScheme });
    await expectNothingFound(page, { only: COLOR_RULES, ofOthers: true });
  }

  await show(page, DARK);
  await expectNothingFound(page, { only: COLOR_RULES });
  await page.emulateMedia({ colorScheme: null });
  if (before) await page.setViewportSize(before);
}

async function expectFinished(page: Page): Promise<void> {
  await page.waitForLoadState();
  // The title may come last of all, and grey lines stand where something is still to come.
  await expect(page).toHaveTitle(/./);
  await expect(page.locator('.animate-pulse')).toHaveCount(0);
}

async function show(page: Page, { viewport, colorScheme }: Look): Promise<void> {
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
}

/** Nothing for axe to find, and nothing that a narrow screen would have to scroll sideways for. */
async function expectNothingFound(page: Page, question: Question): Promise<void> {
  await page.evaluate(settled);
  await bringAxe(page);
  const { found, overflow } = await page.evaluate(examine, question);
  expect(found).toEqual([]);
  expect(overflow).toBeLessThanOrEqual(0);
}

/**
 * Resolves when the page has drawn itself as it is looked at now, and nothing fades or moves any more: half-way colours
 * are no one's contrast.
 */
async function settled(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(resolve));
  const finite = document
    .getAnimations()
    .filter((animation) => animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
  await Promise.allSettled(finite.map((animation) => animation.finished));
}
