import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/**
 * Nothing for axe to find, and nothing that a narrow screen would have to scroll sideways for.
 * @param isQuiet false for a page that never is, as it reads a stream
 */
export async function expectAccessible(page: Page, { isQuiet = true } = {}): Promise<void> {
  await page.waitForLoadState(isQuiet ? 'networkidle' : 'load');
  await page.evaluate(settled);
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  expect(found).toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
}

/** Resolves when nothing fades or moves any more: half-way colours are nobody's contrast. */
async function settled(): Promise<void> {
  const finite = document
    .getAnimations()
    .filter((animation) => animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
  await Promise.allSettled(finite.map((animation) => animation.finished));
}
