import { expect, type Page } from '@playwright/test';
import type { Tier } from '#scripts/check/tiers.ts';
import { type AxeScope, COLOR_RULES, findChanged, injectAxe, runAxe, TITLE_RULE } from './axe.ts';
import { COLOR_SCHEMES } from './color-schemes.ts';

const [LIGHT, DARK, PHONE] = COLOR_SCHEMES;
const TIER: Tier = process.env.TEST_TIER === 'everyday' ? 'everyday' : 'all';

type Appearance = { viewport: { width: number; height: number }; colorScheme: 'light' | 'dark' };

/** Expects no axe violations on the page as it is. For states that exist on phones only. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectFinished(page);
  await expectNothingFound(page);
}

/**
 * Expects no axe violations in light and dark mode and on a phone, then restores the page. The document is the same
 * in all of them, so most rules run on wide and phone layouts only. Colour rules run in both modes, and on the phone
 * only for elements that look different there. In the everyday run: light mode only.
 */
export async function expectAccessibleEverywhere(page: Page, tier = TIER): Promise<void> {
  const before = page.viewportSize();
  await expectFinished(page);
  await show(page, LIGHT);
  await expectNothingFound(page);
  if (tier === 'all') await expectInOtherAppearances(page);
  await page.emulateMedia({ colorScheme: null });
  if (before) await page.setViewportSize(before);
}

/** Inspects the page, which is shown in light mode, also on a phone and in dark mode. */
async function expectInOtherAppearances(page: Page): Promise<void> {
  await page.evaluate(findChanged);

  await show(page, PHONE);
  await expectNothingFound(page, { without: COLOR_RULES });
  const changed = await page.evaluate(findChanged);
  if (changed > 0) {
    await expectNothingFound(page, { only: COLOR_RULES, onlyChanged: true });
    await show(page, { ...PHONE, colorScheme: DARK.colorScheme });
    await expectNothingFound(page, { only: COLOR_RULES, onlyChanged: true });
  }

  await show(page, DARK);
  await expectNothingFound(page, { only: COLOR_RULES });
}

async function expectFinished(page: Page): Promise<void> {
  await page.waitForLoadState();
  // Skeletons mark missing content.
  await expect(page.locator('.animate-pulse')).toHaveCount(0);
}

async function show(page: Page, { viewport, colorScheme }: Appearance): Promise<void> {
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
}

/** Expects a title, no axe violations and no horizontal overflow. */
async function expectNothingFound(page: Page, scope: AxeScope = {}): Promise<void> {
  // Next.js replaces the title of a page that streams in, and for a moment there is none: axe would not wait for it.
  await expect(page).toHaveTitle(/./);
  await page.evaluate(settled);
  await injectAxe(page);
  const { found, overflow } = await page.evaluate(runAxe, {
    ...scope,
    without: [...(scope.without ?? []), TITLE_RULE],
  });
  expect(found).toEqual([]);
  expect(overflow).toBeLessThanOrEqual(0);
}

/**
 * Resolves when the page is painted and all finite animations are finished: intermediate colours would distort
 * contrasts.
 */
async function settled(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(resolve));
  const finite = document
    .getAnimations()
    .filter((animation) => animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
  await Promise.allSettled(finite.map((animation) => animation.finished));
}
