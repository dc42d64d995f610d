import { expect } from '@playwright/test';
import { solveAndAsk } from './solve-and-ask.ts';
import { resetPlatform } from './steps.ts';
import { test } from './test.ts';

// After a conversation is solved, its contact is asked for a rating by email and rates by the link.

test.beforeEach(({ page }) => resetPlatform(page));

test('opening the link records no rating, sending the form does, also without JavaScript, and the conversation shows it', async ({
  page,
  openElsewhere,
  browser,
}) => {
  await test.step('opening the link records no rating, sending the form does, and the conversation shows it', async () => {
    const path = await solveAndAsk(page, `rita.${Date.now()}@example.com`, 4);
    const contact = await openElsewhere();
    await contact.goto(path);
    await expect(contact.locator('[name=score]:checked')).toHaveValue('4');
    await page.reload();
    const thread = page.getByRole('region', { name: 'Messages' });
    await expect(thread).toContainText('changed the status from open to solved');
    await expect(thread).not.toContainText('rated');

    await contact.getByLabel('Comment (optional)').fill('Quick');
    await contact.getByRole('button', { name: 'Send rating' }).click();
    await expect(contact.getByText('Thank you. You rated this 4 of 5, good.')).toBeVisible();
    await expect(thread).toContainText('Quick');
  });

  await test.step('a contact rates without JavaScript', async () => {
    const path = await solveAndAsk(page, `rolf.${Date.now()}@example.com`, 5);
    const contact = await browser.newPage({ javaScriptEnabled: false });
    await contact.goto(path);
    await contact.getByText('Bad', { exact: true }).click();
    await contact.getByLabel('Comment (optional)').fill('It took long');
    await contact.getByRole('button', { name: 'Send rating' }).click();
    await expect(contact.getByText('Thank you. You rated this 2 of 5, bad.')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Messages' })).toContainText('It took long');
    await contact.close();
  });
});
