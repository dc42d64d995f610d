import { expect, type Locator, type Page } from '@playwright/test';
import { chatPaths } from './chat-paths.ts';
import { signIn } from './steps.ts';
import { test } from './test.ts';
import { expectThreadNearTop } from './thread-on-phone.ts';

// An open conversation on narrow screens.

const thread = (page: Page) => page.getByRole('region', { name: 'Messages' });

test.describe('at 1280 px', () => {
  test.use({ viewport: { width: 1280, height: 720 } });

  test('the thread has 560 px, rows have at most 72 px, or 54 px without a third line, and the status where the tab has none', async ({
    page,
  }) => {
    await signIn(page, 'owner@demo.test', '/inbox');
    await page.locator('[data-conversation]').first().click();
    await expect(thread(page)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Details' })).toHaveAttribute('aria-expanded', 'false');
    expect((await boxOf(thread(page))).width).toBeGreaterThanOrEqual(560);
    expect(Math.max(...(await rowHeights(page)))).toBeLessThanOrEqual(72);
    const row = page.locator('[data-conversation-list] [data-conversation]').first();
    await expect(row.getByText('Open', { exact: true })).toHaveCount(0);
    // The rows of this view also have a status.
    await page.goto('/inbox?status=all');
    await expect(row.getByText(/^(Open|Pending|Solved|Closed)$/)).toBeVisible();
    expect(Math.min(...(await rowHeights(page)))).toBeLessThanOrEqual(54);
  });
});

test('nothing in the third line of a row covers anything else, however much it says', {
  tag: '@journey',
}, async ({ page }) => {
  await signIn(page, 'owner@demo.test', '/inbox?status=all');
  const line = page
    .locator('.row-state')
    .filter({ has: page.locator('.row-tags bdi') })
    .first();
  // A priority, an SLA target and a scheduled reply.
  await line.evaluate((element) => {
    const tags = element.querySelector('.row-tags');
    for (const child of [...element.children])
      if (!child.matches('.row-icon, .row-status, .row-tags, [title]')) child.remove();
    for (const [text, classes] of [
      ['Urgent', 'shrink-0 font-medium'],
      ['Due in 53 min', 'min-w-0 truncate font-medium'],
      ['Sends 24 Dec, 14:00', 'min-w-0 truncate'],
    ] as const) {
      const added = document.createElement('span');
      added.textContent = text;
      added.className = classes;
      element.insertBefore(added, tags);
      const row = element.getBoundingClientRect();
      const boxes = [...element.children].map((child) => child.getBoundingClientRect());
      const isApart = boxes.every(({ left }, at) => left >= (boxes[at - 1]?.right ?? row.left) - 1);
      if (!isApart || (boxes.at(-1)?.right ?? 0) > row.right + 1) throw new Error(`${text} has no room.`);
    }
    // What does not fit is cut, instead of covering the text before.
    if (tags && getComputedStyle(tags).overflow !== 'hidden') throw new Error('Tags can cover the text.');
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('the details are a sheet, and the main actions are visible', { tag: '@journey' }, async ({ page }) => {
    await signIn(page, 'owner@demo.test', '/inbox?status=all');
    await page.locator('[data-conversation]').first().click();
    await expect(thread(page)).toBeVisible();
    await expectThreadNearTop(page);
    await page.goto('/inbox?status=closed');
    await page.locator('[data-conversation]').first().click();
    await expect(page.locator('[data-opened] header')).toContainText('Closed');
    await expectThreadNearTop(page);
    // After a reload, hydration must match the server's markup, which narrow screens then change.
    const problems: string[] = [];
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    await page.reload();
    expect(problems).toEqual([]);
    await page.getByRole('button', { name: 'Details' }).click();
    const sheet = page.getByRole('dialog', { name: 'Details' });
    await expect(sheet.getByRole('heading', { name: 'Conversation', exact: true })).toBeVisible();
    await sheet.getByRole('button', { name: 'Close details' }).click();
    await expect(sheet).toBeHidden();
    await page.getByRole('link', { name: 'Back to list' }).click();
    await expect(page.locator('[data-conversation]').first()).toBeVisible();
  });

  test('toasts do not cover the command menu', async ({ page }) => {
    await signIn(page, 'owner@demo.test', '/inbox?status=open');
    await page.locator('[data-conversation]').first().click();
    await expect(thread(page)).toBeVisible();
    const menu = page.getByRole('dialog', { name: 'Command menu' });
    const reply = menu.getByRole('option', { name: 'Reply', exact: true });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search commands' }).fill('set priority');
    await menu.getByRole('option', { name: 'Set priority: Urgent' }).click();
    await expect(page.locator('[data-sonner-toast]')).toBeVisible();
    await page.keyboard.press('Control+k');
    await expect(reply).toBeVisible();
    expect(await reply.evaluate(isCovered)).toBe(false);
  });
});

test.describe('on a phone of 320 px', () => {
  test.use({ viewport: { width: 320, height: 640 } });

  test('the composer, the filters of reports and a long word in the web chat are no wider than the screen', async ({
    page,
  }) => {
    await signIn(page, 'owner@demo.test', '/inbox?status=all&channel=webchat');
    await page.locator('[data-conversation]').first().click();
    const send = await boxOf(page.getByRole('button', { name: 'Send', exact: true }));
    expect(send.x + send.width).toBeLessThan(320);
    await page.goto('/reports');
    const to = await boxOf(page.getByLabel('To', { exact: true }));
    expect(to.x + to.width).toBeLessThan(320);
    await page.goto((await chatPaths(page)).chat);
    await page.getByRole('textbox', { name: 'Message' }).fill('unbroken'.repeat(30));
    const sendMessage = await boxOf(page.getByRole('button', { name: 'Send' }));
    expect(sendMessage.x + sendMessage.width).toBeLessThan(320);
  });
});

test.describe('on a low screen', () => {
  test.use({ viewport: { width: 640, height: 400 } });

  test('messages stay readable above a long draft, and the composer can be scrolled to', async ({ page }) => {
    await signIn(page, 'owner@demo.test', '/inbox?status=all&channel=webchat');
    await page.locator('[data-conversation]').first().click();
    const box = page.getByRole('textbox', { name: 'Reply', exact: true });
    await box.fill('A line\n'.repeat(20));
    expect((await boxOf(thread(page))).height).toBeGreaterThanOrEqual(160);
    await page.getByRole('button', { name: 'Send', exact: true }).click({ trial: true });
    await box.fill('');
  });
});

/** Runs in the browser. Returns whether another element is above the middle of this one. */
function isCovered(element: Element): boolean {
  const { x, y, width, height } = element.getBoundingClientRect();
  return !element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}

async function rowHeights(page: Page): Promise<number[]> {
  const rows = await page.locator('[data-conversation-list] [data-conversation]').all();
  return Promise.all(rows.map(async (row) => Math.round((await boxOf(row)).height)));
}

async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (!box) throw new Error('The element is not rendered');
  return box;
}
