import { expect, type Page } from '@playwright/test';
import { accountOf, control } from './control-providers.ts';
import { holdRequests } from './hold-requests.ts';
import { thread } from './open-first.ts';
import { signIn } from './steps.ts';
import { test } from './test.ts';

// What happens while a page has no live stream.

test('a page shows what arrived before its live stream, and while its tab was hidden', async ({ page }) => {
  const name = `Cole ${Date.now()}`;
  await signIn(page, 'owner@demo.test');
  const account = await accountOf(page, 'whatsapp');
  const receive = (text: string) =>
    control(page, 'POST', `/accounts/${account}/messages`, { from: name, text });

  await test.step('before its stream', async () => {
    const release = await holdRequests(page, /\/live\?/);
    await page.reload();
    const row = page.getByRole('list', { name: 'Conversations' }).getByRole('link', { name });
    await expect(page.getByRole('list', { name: 'Conversations' })).toBeVisible();
    await receive('Any news?');
    await expect(row).toBeHidden();
    release();
    await row.click();
    await expect(thread(page)).toContainText('Any news?');
  });

  await test.step('while its tab was hidden', async () => {
    await show(page, 'hidden');
    await receive('I am still waiting');
    await show(page, 'visible');
    await expect(thread(page)).toContainText('I am still waiting');
  });
});

/** Hides the page as another tab does, which closes its stream, or shows it again. */
function show(page: Page, state: DocumentVisibilityState): Promise<void> {
  return page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);
}
