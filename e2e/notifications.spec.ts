import { expect, type Page } from '@playwright/test';
import { COLOR_SCHEMES } from './color-schemes.ts';
import { connect, resetPlatform, signIn } from './steps.ts';
import { test } from './test.ts';

// A workflow assigns a conversation to a teammate, and the notifications update live.

test.beforeEach(({ page }) => resetPlatform(page));

for (const { name, ...options } of COLOR_SCHEMES.filter(({ name }) => name !== 'dark')) {
  test.describe(name, () => {
    test.use(options);

    test('the bell counts a new notification live, and opening it marks it as read', async ({
      page,
      openElsewhere,
    }) => {
      await signIn(page, 'agent@demo.test', '/contacts');
      const before = await unreadOf(page);
      const subject = await assignToArjun(openElsewhere);
      await expectUnread(page, before + 1);

      await bell(page).click();
      const notification = rows(page).filter({ hasText: `Olivia Owen assigned “${subject}” to you.` });
      await expect(notification).toContainText('Unread: ');
      await expect(notification).toContainText('just now');

      await notification.getByRole('link').click();
      await page.waitForURL('**/inbox?selected=*');
      await expect(
        page.getByRole('heading', { name: subject }).locator('visible=true').first(),
      ).toBeVisible();
      await expect(popover(page)).toBeHidden();
      // On a phone, an open conversation hides the bar with the bell.
      if (name === 'phone') await page.getByRole('link', { name: 'Back to list' }).click();
      await expectUnread(page, before);
      await page.reload();
      await expectUnread(page, before);
      await bell(page).click();
      await expect(rows(page).filter({ hasText: subject })).not.toContainText('Unread: ');
    });
  });
}

test('notifications are marked as read all together by keyboard, for this teammate only, or by opening the conversation', {
  tag: '@journey',
}, async ({ page, openElsewhere }) => {
  await test.step('all notifications are marked as read by keyboard, for this teammate only', async () => {
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

  await test.step('opening a conversation from the list marks its notifications as read', async () => {
    const before = await unreadOf(page);
    const subject = await assignToArjun(openElsewhere);
    await expectUnread(page, before + 1);
    await page.goto('/inbox?assignee=me');
    await page.getByRole('main').getByRole('link', { name: subject }).first().click();
    await expectUnread(page, before);
    await page.reload();
    await expectUnread(page, before);
  });
});

/** Starts a conversation by another teammate's workflow and assigns it to Arjun Mehta. Returns its subject. */
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

/** Returns the number of unread notifications on the bell. */
async function unreadOf(page: Page): Promise<number> {
  const label = (await bell(page).getAttribute('aria-label')) ?? '';
  return Number(/(\d+) unread/.exec(label)?.[1] ?? 0);
}

async function expectUnread(page: Page, count: number): Promise<void> {
  await expect(bell(page)).toHaveAccessibleName(
    count === 0 ? 'Notifications' : `Notifications, ${count} unread`,
  );
}

function bell(page: Page) {
  return page.getByRole('button', { name: /^Notifications/ }).locator('visible=true');
}

function popover(page: Page) {
  return page.getByRole('dialog', { name: 'Notifications' });
}

function rows(page: Page) {
  return popover(page).getByRole('listitem');
}
