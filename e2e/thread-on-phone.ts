import { expect, type Page } from '@playwright/test';

/** Expects that a phone shows at most 100 px above the thread, then restores the viewport. */
export async function expectThreadNearTop(page: Page): Promise<void> {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  const top = async () => (await page.getByRole('region', { name: 'Messages' }).boundingBox())?.y;
  await expect.poll(top).toBeLessThanOrEqual(100);
  if (before) await page.setViewportSize(before);
}
