import { expect } from '@playwright/test';
import { list, thread } from './open-first.ts';
import { openSession } from './steps.ts';
import { test } from './test.ts';

// The inbox while the service is away, and after it was updated.

test('during an outage the inbox stays, says that the service cannot be reached, and works afterwards', async ({
  page,
}) => {
  await openSession(page, 'owner@demo.test');
  await page.goto('/inbox?status=all');
  await page.route(/\/(api\/screens\/|inbox)/, (route) => route.abort());
  const rows = list(page).getByRole('link');
  const failed = page.getByRole('alert').filter({ hasText: 'The service could not be reached.' });
  // A page request that fails would replace the page with an error of the browser.
  for (const index of [2, 4]) {
    await rows.nth(index).click();
    await expect(rows.nth(index)).toHaveAttribute('aria-current', 'true');
    await expect(failed).toBeVisible();
  }

  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(thread(page)).toBeVisible();
  await rows.nth(2).click();
  await expect(thread(page)).toBeVisible();
  await expect(failed).toHaveCount(0);
});

test('a page of an older version asks to be reloaded', async ({ page }) => {
  await openSession(page, 'owner@demo.test');
  await page.goto('/inbox');
  await list(page).getByRole('link').first().click();
  await expect(thread(page)).toBeVisible();
  // A newer version has other ids for the same actions.
  await page.route('**/inbox?*', (route) => {
    const headers = route.request().headers();
    const isAction = 'next-action' in headers;
    return route.continue(isAction ? { headers: { ...headers, 'next-action': '40'.repeat(21) } } : {});
  });
  await page.getByRole('button', { name: 'Solve', exact: true }).click();
  await expect(page.getByText('The service was updated. Reload the page and try again.')).toBeVisible();
});
