import { expect, type Page } from '@playwright/test';
import { holdRequests } from './hold-requests.ts';
import { openSession } from './steps.ts';
import { test } from './test.ts';

/** Holds back every script that the inbox's HTML does not reference. Resolves with a function that releases them. */
async function holdLateScripts(page: Page): Promise<() => void> {
  const html = await (await page.request.get('/inbox')).text();
  const named = new Set(html.match(/\/_next\/static\/[\w./-]+?\.js/g));
  const isLate = (url: string) => !named.has(new URL(url).pathname);
  return holdRequests(page, '**/_next/static/**/*.js', (request) => isLate(request.url()));
}

/** Waits until React has attached event handlers. */
async function untilHydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const row = document.querySelector('[data-conversation]');
    return row !== null && Object.keys(row).some((key) => key.startsWith('__reactProps'));
  });
}

test('a popover, a menu and a dialog opened before their code is loaded open after loading, and return the focus', async ({
  page,
}) => {
  await openSession(page, 'owner@demo.test');
  const releaseScripts = await holdLateScripts(page);
  await page.goto('/inbox');
  await untilHydrated(page);

  const filter = page.getByRole('button', { name: 'Filter', exact: true });
  const panel = page.getByRole('dialog', { name: 'Filter' });
  await filter.click();
  await expect(filter).toHaveAttribute('aria-expanded', 'true');
  await expect(panel).toHaveCount(0);
  releaseScripts();
  await expect(panel).toBeVisible();
  await expect(panel.getByLabel('Assignee')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(filter).toBeFocused();

  const account = page.getByRole('button', { name: /^Account:/ });
  await account.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Account' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(account).toBeFocused();
  await account.click();
  await expect(page.getByRole('menu')).toBeVisible();
  await account.click();
  await expect(page.getByRole('menu')).toHaveCount(0);

  const start = page.getByRole('button', { name: 'New conversation' });
  await start.click();
  await expect(page.getByRole('dialog', { name: 'New conversation' })).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(start).toBeFocused();
});

test('once the page was idle, panels and dialogs open without a connection', async ({ page }) => {
  await openSession(page, 'owner@demo.test');
  await page.goto('/inbox');
  await page.keyboard.press('j');
  await expect(page.locator('[data-opened]')).toBeVisible();
  await page.waitForFunction(() => performance.getEntriesByName('parts loaded').length > 0);
  await page.context().setOffline(true);
  for (const [key, name] of [
    ['z', 'Snooze'],
    ['m', 'Merge into another conversation'],
    ['Control+k', 'Command menu'],
    ['?', 'Keyboard shortcuts'],
  ] as const) {
    await page.keyboard.press(key);
    const dialog = page.getByRole('dialog', { name });
    await expect(dialog).toBeVisible();
    await expect(dialog.getByText('Loading…')).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  }
  await page.context().setOffline(false);
});
