import { gzipSync } from 'node:zlib';
import { expect, type Page } from '@playwright/test';
import { goToConsent, openSession } from './steps.ts';
import { test } from './test.ts';

// Bounds on the scripts that a page needs before it is interactive. Raise a bound only with a reason. 255 KiB for the inbox: 32 of them are Radix,
// which is imported like any library, so that menus, popovers and dialogs open with the first click.

/**
 * Returns the compressed size of the scripts that a page references, in KiB. Excludes scripts loaded when idle, such
 * as overlays.
 */
async function scriptsOf(page: Page): Promise<number> {
  const html = await (await page.request.get(page.url())).text();
  const forOldBrowsers = /<script src="([^"]+)" noModule/.exec(html)?.[1];
  const named = [...html.matchAll(/\/_next\/static\/[\w./-]+?\.js/g)].map(([address]) => address);
  const addresses = [...new Set(named)].filter((address) => address !== forOldBrowsers);
  const bodies = await Promise.all(
    addresses.map(async (address) => (await page.request.get(address)).body()),
  );
  return bodies.reduce((sum, body) => sum + gzipSync(body).length, 0) / 1_024;
}

test('the inbox with a conversation and a saved view loads at most 255 KiB of scripts', {
  tag: '@journey',
}, async ({ page }) => {
  await openSession(page, 'owner@demo.test');
  await saveView(page);
  const html = await (await page.request.get('/inbox')).text();
  const [, id] = /data-conversation="([^"]+)"/.exec(html) ?? [];
  await page.goto(`/inbox?selected=${id}`);
  await expect(page.locator('[data-opened]')).toBeVisible();
  const size = await scriptsOf(page);
  expect(size).toBeGreaterThan(50);
  expect(size).toBeLessThanOrEqual(255);
});

test('the consent page loads no script', async ({ page }) => {
  await openSession(page, 'owner@demo.test');
  await goToConsent(page);
  await expect(page.getByRole('button', { name: 'Connect' })).toBeVisible();
  expect(await scriptsOf(page)).toBe(0);
});

/** Saves a view: the navigation loads its links only if there are any. */
async function saveView(page: Page): Promise<void> {
  const name = `Scripts ${Date.now()}`;
  await page.goto('/inbox?tag=scripts');
  await page.getByRole('button', { name: 'Save view' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save view' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name })).toBeVisible();
}
