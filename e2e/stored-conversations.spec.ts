import { expect, type Page } from '@playwright/test';
import { openSession, signIn } from './steps.ts';
import { test } from './test.ts';

// Conversations that were opened on this device are shown at the next visit before the service answers.

const NAME = 'Amara Diallo';

test('an opened conversation is shown at the next visit without the service, until the role changes or its teammate signs out', async ({
  page,
  openElsewhere,
}) => {
  await signIn(page, 'admin@demo.test');
  const id = (await rows(page).nth(1).getAttribute('data-conversation')) ?? '';

  await test.step('an opened conversation is shown at the next visit without the service', async () => {
    await open(page, id);
    await expect(messages(page)).toBeVisible();
    await expect.poll(() => storedOn(page)).toEqual([expect.stringContaining(id)]);
    await page.goto('/inbox');
    await withoutConversations(page);
    await open(page, id);
    await expect(messages(page)).toBeVisible();
    await expect(page.getByRole('region', { name: 'Contact' })).toBeVisible();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  await test.step('a conversation that was opened with another role is not shown, and leaves the device', async () => {
    const owner = await openElsewhere();
    await page.goto('about:blank');
    await openSession(owner, 'owner@demo.test');
    await changeRole(owner, 'Agent');
    await withoutConversations(page);
    await page.goto('/inbox');
    await expect.poll(() => storedOn(page)).toEqual([]);
    await open(page, id);
    await expect(page.getByRole('alert').filter({ hasText: 'could not be reached' })).toBeVisible();
    await expect(messages(page)).toHaveCount(0);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await changeRole(owner, 'Admin');
  });

  await test.step('signing out leaves no conversation on the device', async () => {
    // The change back to admin may reach the page after it has stored the conversation, and remove it.
    await expect(async () => {
      await page.goto('/inbox');
      await open(page, id);
      await expect.poll(() => storedOn(page), { timeout: 10_000 }).toEqual([expect.stringContaining(id)]);
    }).toPass();
    await page.getByRole('button', { name: NAME }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in');
    expect(await storedOn(page)).toEqual([]);
  });

  await test.step('a session that has ended leaves none either', async () => {
    await signIn(page, 'admin@demo.test');
    await open(page, id);
    await expect.poll(() => storedOn(page)).toEqual([expect.stringContaining(id)]);
    await page.context().clearCookies();
    await page.goto('/inbox');
    await page.waitForURL('**/sign-in**');
    await expect.poll(() => storedOn(page)).toEqual([]);
  });
});

async function open(page: Page, id: string): Promise<void> {
  await page.locator(`[data-conversation="${id}"]`).click();
  await expect(page).toHaveURL(new RegExp(`selected=${id}`));
}

/** Lets no request for a conversation reach the service. */
async function withoutConversations(page: Page): Promise<void> {
  await page.route(/conversations\.get/, (route) => route.abort());
}

async function changeRole(page: Page, to: string): Promise<void> {
  await page.goto('/settings/teammates');
  const role = page.getByRole('button', { name: `Role of ${NAME}` });
  await role.click();
  await page.getByRole('menuitemradio', { name: to }).click();
  await expect(page.getByText(new RegExp(`${NAME} is now an ${to.toLowerCase()}`))).toBeVisible();
  await expect(role).toHaveText(`Role of ${NAME}: ${to}`);
}

/** Returns the keys of the conversations that this device stores. */
async function storedOn(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const isThere = (await indexedDB.databases()).some(({ name }) => name === 'threads');
    if (!isThere) return ['no storage yet'];
    const { promise, resolve, reject } = Promise.withResolvers<string[]>();
    const opening = indexedDB.open('threads');
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const keys = opening.result.transaction('threads').objectStore('threads').getAllKeys();
      keys.onsuccess = () => resolve(keys.result.map(String));
      keys.onerror = () => reject(keys.error);
      opening.result.close();
    };
    return promise;
  });
}

function rows(page: Page) {
  return page.locator('[data-conversation]');
}

function messages(page: Page) {
  return page.getByRole('region', { name: 'Messages' });
}
