import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Nothing for axe to find, and nothing that a narrow screen would have to scroll sideways for. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.waitForLoadState();
  // The title may come last of all, and grey lines stand where something is still to come.
  await expect(page).toHaveTitle(/./);
  await expect(page.locator('.animate-pulse')).toHaveCount(0);
  await page.evaluate(settled);
  // In one pass over the page and its frames, which takes half as long; there are no frames of other sites.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
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
