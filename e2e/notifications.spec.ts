import { expect, type Page } from '@playwright/test';
import { expectAccessible, expectAccessibleEverywhere } from './accessible.ts';
import { COLOR_SCHEMES } from './color-schemes.ts';
import { connect, resetPlatform, signIn } from './steps.ts';
import { test } from './test.ts';

// A teammate has the inbox open; a workflow assigns them a conversation, and the bell says so.

test.beforeEach(({ page }) => resetPlatform(page));

const bell = (page: Page) => page.getByRole('button', { name: /^Notifications/ }).locator('visible=true');
const popover = (page: Page) => page.getByRole('dialog', { name: 'Notifications' });
const rows = (page: Page) => popover(page).getByRole('listitem');

/** How many notifications the bell says are unread. */
async function unreadOf(page: Page): Promise<number> {
  const label = (await bell(page).getAttribute('aria-label')) ?? '';
  return Number(/(\d+) unread/.exec(label)?.[1] ?? 0);
}

async function expectUnread(page: Page, count: number): Promise<void> {
  await expect(bell(page)).toHaveAccessibleName(
    count === 0 ? 'Notifications' : `Notifications, ${count} unread`,
  );
}

/** Someone else's workflow starts a conversation and assigns it to Arjun Mehta. Returns its subject. */
async function assignToArjun(openElsewhere: () => Promise<Page>): Promise<string> {
  const page = await openElsewhere();
  const connection = await connect(page, 'owner@demo.test');
  const subject = `Parcel ${Date.now()}`;
  const { id } = await connection.run('create-conversation', {
    to_email: `pia.${Date.now()}@example.com`,
    subject,
    content: 'Your parcel has left.',
  });
  const assignee = await connection.teammate('Arjun Mehta');
  await connection.run('update-conversation', { conversation_id: id, assignee_id: assignee });
  return subject;
}

for (const { name, ...options } of COLOR_SCHEMES.filter(({ name }) => name !== 'dark')) {
  test.describe(name, () => {
    test.use(options);

    test('the bell counts what is new at once, leads to it, and then it is read', async ({
      page,
      openElsewhere,
    }) => {
      await signIn(page, 'agent@demo.test', '/contacts');
      const before = await unreadOf(page);
      const subject = await assignToArjun(openElsewhere);
      await expectUnread(page, before + 1);

      await bell(page).click();
      const news = rows(page).filter({ hasText: `Olivia Owen assigned “${subject}” to you.` });
      await expect(news).toContainText('Unread: ');
      await expect(news).toContainText('just now');
      // In light and dark; on a phone it has its own flow.
      await (name === 'phone' ? expectAccessible(page) : expectAccessibleEverywhere(page));

      await news.getByRole('link').click();
      await page.waitForURL('**/inbox?selected=*');
      await expect(
        page.getByRole('heading', { name: subject }).locator('visible=true').first(),
      ).toBeVisible();
      await expect(popover(page)).toBeHidden();
      await expectUnread(page, before);
      await page.reload();
      await expectUnread(page, before);
      await bell(page).click();
      await expect(rows(page).filter({ hasText: subject })).not.toContainText('Unread: ');
    });
  });
}

test('opening a conversation from the list reads the notifications of it', async ({
  page,
  openElsewhere,
}) => {
  await signIn(page, 'agent@demo.test');
  const before = await unreadOf(page);
  const subject = await assignToArjun(openElsewhere);
  await expectUnread(page, before + 1);
  await page.goto('/inbox?assignee=me');
  await page.getByRole('main').getByRole('link', { name: subject }).first().click();
  await expectUnread(page, before);
  await page.reload();
  await expectUnread(page, before);
});

test('all are marked as read at once, by keyboard, for this teammate alone', async ({
  page,
  openElsewhere,
}) => {
  await signIn(page, 'agent@demo.test');
  const before = await unreadOf(page);
  await assignToArjun(openElsewhere);
  await assignToArjun(openElsewhere);
  await expectUnread(page, before + 2);

  await bell(page).focus();
  await page.keyboard.press('Enter');
  await expect(popover(page).getByRole('button', { name: 'Mark all as read' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expectUnread(page, 0);
  await expect(rows(page).filter({ hasText: 'Unread: ' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(popover(page)).toBeHidden();
  await expect(bell(page)).toBeFocused();
  await page.reload();
  await expectUnread(page, 0);
});

test('a teammate without notifications reads what will appear here', async ({ page }) => {
  await signIn(page, 'viewer@demo.test');
  await expectUnread(page, 0);
  await bell(page).click();
  await expect(popover(page)).toContainText('You are notified here when a conversation is assigned to you');
  await expect(popover(page).getByRole('button', { name: 'Mark all as read' })).toHaveCount(0);
});
