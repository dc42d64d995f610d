import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
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
  // In one pass over the page and its frames, which takes half as long; there are no frames of other sites.
  // Only what it finds wrong is described: to name every element that is right takes most of the time.
  const runOnly = rules ? { runOnly: { type: 'rule' as const, values: rules } } : {};
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'], ...runOnly });
  const { violations } = await axe.analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  expect(found).toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
}

/** Resolves when nothing fades or moves any more: half-way colours are no one's contrast. */
async function settled(): Promise<void> {
  const finite = document
    .getAnimations()
    .filter((animation) => animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
  await Promise.allSettled(finite.map((animation) => animation.finished));
}
