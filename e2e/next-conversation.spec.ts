import { expect } from '@playwright/test';
import { startConversation } from './start-conversation.ts';
import { signIn } from './steps.ts';
import { test } from './test.ts';

test('a key that is pressed as soon as a conversation appears opens that one', async ({
  page,
  openElsewhere,
}) => {
  await signIn(page, 'owner@demo.test', '/inbox');
  await expect(page.locator('[data-conversation]').first()).toBeVisible();
  const other = await openElsewhere();
  await signIn(other, 'agent@demo.test', '/inbox');
  const subject = `Arrives ${Date.now()}`;
  await page.evaluate(pressNextOnceShown, subject);
  await startConversation(other, `arrives.${Date.now()}@example.com`, subject);
  await expect(page.getByRole('heading', { name: subject, level: 2 })).toBeVisible();
});

/** Runs in the browser. Presses `j` in the very moment in which a row with this text enters the page. */
function pressNextOnceShown(text: string): void {
  const observer = new MutationObserver(() => {
    const rows = [...document.querySelectorAll('[data-conversation]')];
    if (!rows.some((row) => row.textContent?.includes(text))) return;
    observer.disconnect();
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'j' }));
  });
  observer.observe(document.body, { childList: true, subtree: true, characterData: true });
}
