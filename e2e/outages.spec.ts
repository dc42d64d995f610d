import { expect, type Page } from '@playwright/test';
import { box, button, openConversation, waiting } from './composer.ts';
import { eventsOf } from './connection.ts';
import { list, thread } from './open-first.ts';
import { openSession, resetPlatform } from './steps.ts';
import { test } from './test.ts';

// The inbox while the service is away, and after it was updated.

test('during an outage the inbox stays, says that the service cannot be reached, and works afterwards', {
  tag: '@journey',
}, async ({ page }) => {
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
  // The page also tries again when something changes, which removes the button.
  const retry = page.getByRole('button', { name: 'Try again' });
  await expect(async () => {
    if (await retry.isVisible()) await retry.click({ timeout: 1_000 });
    await expect(thread(page)).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await rows.nth(2).click();
  await expect(thread(page)).toBeVisible();
  await expect(failed).toHaveCount(0);
});

test('a page of an older version asks to be reloaded, and a form whose request is lost keeps its input', async ({
  page,
}) => {
  await test.step('a page of an older version asks to be reloaded', async () => {
    await openSession(page, 'owner@demo.test');
    await page.goto('/settings/account');
    // A newer version has other ids for the same actions. Changes in the inbox name procedures.
    await page.route('**/settings/account', (route) => {
      const headers = route.request().headers();
      const isAction = 'next-action' in headers;
      return route.continue(isAction ? { headers: { ...headers, 'next-action': '40'.repeat(21) } } : {});
    });
    await page.getByLabel('After you solve a conversation').selectOption('Go back to the list');
    await expect(page.getByText('The service was updated. Reload the page and try again.')).toBeVisible();
  });

  await test.step('a form whose request is lost says so and keeps its input', async () => {
    await page.unrouteAll();
    await page.goto('/settings/teammates');
    await page.route('**/settings/teammates', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    const form = page.getByRole('form', { name: 'Invite a teammate' });
    await form.getByLabel('Email').fill('ada@example.com');
    await form.getByLabel('Role').selectOption({ label: 'Viewer' });
    await form.getByRole('button', { name: 'Invite' }).click();
    await expect(form.getByRole('alert')).toContainText('The service could not be reached.');
    await expect(form.getByLabel('Email')).toHaveValue('ada@example.com');
    await expect(form.getByLabel('Role')).toHaveValue('viewer');
  });
});

test('a reply whose response is lost is sent once, also when its author sends it again', {
  tag: '@journey',
}, async ({ page }) => {
  await openConversation(page);
  await loseFirstResponse(page, 'Only once');
  await box(page, 'Reply').fill('Only once');
  await button(page, 'Send').click();
  await expect(page.getByText('The reply was not sent')).toBeVisible();
  await expect(box(page, 'Reply')).toHaveValue('Only once');
  await button(page, 'Send').click();
  await expect(thread(page)).toContainText('Only once');
  await expect(waiting(page)).toBeHidden();
  await expect(thread(page).getByText('Only once')).toHaveCount(1);
});

test('a command whose response is lost runs once, also when it is run again', async ({ page }) => {
  await resetPlatform(page);
  const { inbox, connection } = await openConversation(page);
  await connection.turnOn(['operator.command'], 'refund');
  await page.goto(inbox);
  await loseFirstResponse(page, 'the first order');
  await box(page, 'Reply').fill('/refund the first order');
  await page.keyboard.press('Control+Enter');
  const form = page.getByRole('form', { name: 'Run a command' });
  await button(page, 'Run').click();
  await expect(form.getByRole('alert')).toContainText('The service could not be reached.');
  await button(page, 'Run').click();
  await expect(thread(page).getByText('ran /refund: the first order')).toHaveCount(1);
  const runs = async () => (await eventsOf(page)).filter(({ event }) => event === 'operator.command').length;
  await expect.poll(runs).toBe(1);
});

/** Loses the response to the first change that contains the text. */
async function loseFirstResponse(page: Page, text: string): Promise<void> {
  let isLost = false;
  await page.route('**/api/screens/**', async (route) => {
    if (isLost || !route.request().postData()?.includes(text)) return route.continue();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
}
