import { expect, type Page } from '@playwright/test';
import { startConversation } from './start-conversation.ts';
import { goWithin, signIn } from './steps.ts';
import { test } from './test.ts';

// A teammate works from the keyboard with the command menu.

test('the command menu changes the open conversation, returns the focus, and opens views and pages', async ({
  page,
}) => {
  const mark = Date.now();
  await signIn(page, 'agent@demo.test', '/inbox');
  await startConversation(page, `menu.${mark}@example.com`, `Menu ${mark}`);
  const details = page.getByRole('region', { name: 'Details' });
  const box = page.getByRole('textbox', { name: 'Reply', exact: true });
  const { menu, field, option } = commandMenu(page);

  await box.fill('A draft');
  await box.press('Control+k');
  await expect(field).toBeFocused();
  await expect(option('Assign to…')).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(menu).toHaveCount(0);
  await expect(box).toBeFocused();

  // A click beside the menu closes it and does not reach the page.
  const behind = await page.getByRole('link', { name: /^Unassigned/ }).boundingBox();
  const url = page.url();
  await page.keyboard.press('Control+k');
  await expect(field).toBeFocused();
  // The menu listens for clicks beside it from the next task on.
  await expect(async () => {
    if ((await menu.count()) > 0) await page.mouse.click((behind?.x ?? 0) + 20, (behind?.y ?? 0) + 10);
    await expect(menu).toHaveCount(0, { timeout: 2_000 });
  }).toPass();
  await expect(page).toHaveURL(url);
  await box.focus();

  await runCommand(page, 'urgent', 'Set priority: Urgent');
  await expect(details.getByRole('combobox', { name: 'Priority' })).toHaveValue('urgent');
  await expect(box).toBeFocused();
  await expect(box).toHaveValue('A draft');

  await page.keyboard.press('Control+k');
  await expect(option('Set priority: Urgent')).toHaveCount(0);
  await field.fill('assign to');
  await page.keyboard.press('Enter');
  await expect(field).toHaveValue('Assign to ');
  await field.pressSequentially('amara');
  await expect(option('Assign to Amara Diallo')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-opened] header')).toContainText('Amara Diallo');

  await runCommand(page, `add tag Menu ${mark}`, `Add tag Menu ${mark}`);
  await expect(details.getByText(`Menu ${mark}`, { exact: true })).toBeVisible();
  await runCommand(page, 'snooze', 'Snooze Z');
  await expect(page.getByRole('textbox', { name: 'Snooze until' })).toBeFocused();
  await page.keyboard.press('Escape');
  await runCommand(page, 'change status', 'Change status S');
  await expect(page.getByRole('menuitemradio', { name: 'Pending' })).toBeVisible();
  await page.keyboard.press('Escape');

  await goWithin(page, '/settings/teammates');
  await expect(page).toHaveTitle(/Teammates/);
  await page.keyboard.press('Control+k');
  await expect(menu.getByRole('group', { name: 'Recent' })).toHaveCount(0);
  await expect(option('Saved replies')).toBeVisible();
  await expect(option('Channels')).toHaveCount(0);
  await field.fill(`menu ${mark}`);
  await expect(option(`Conversations with tag Menu ${mark}`)).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name: `Remove filter: Tag Menu ${mark}` })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Conversations' }).getByRole('link')).toHaveCount(1);

  await runCommand(page, 'sort by due', 'Sort by: Due first');
  await expect(page).toHaveURL(/&sort=due$/);
  await runCommand(page, 'show status all', 'Show status: All');
  await expect(page).toHaveURL(/&status=all&sort=due$/);
  await runCommand(page, 'save view', 'Save view');
  const saving = page.getByRole('dialog', { name: 'Save view' });
  await expect(saving.getByLabel('Name')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(saving).toHaveCount(0);
  const selected = page.getByRole('region', { name: 'Selected conversations' });
  await runCommand(page, 'select all listed', 'Select all listed conversations');
  await expect(selected).toContainText('1 selected');
  await runCommand(page, 'clear selection', 'Clear selection Shift+X');
  await expect(selected).toHaveCount(0);

  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(help).toContainText('Command menu');
  await expect(help).toContainText('Send and solve');
  await page.keyboard.press('Escape');
  await expect(help).toHaveCount(0);
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Command menu' }).click();
  await expect(field).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(menu).toHaveCount(0);

  // Choosing it would open the other workspace at the next sign-in of this teammate, in other flows too.
  await page.keyboard.press('Control+k');
  await field.fill('switch to workspace demo');
  await expect(menu.getByRole('option', { name: 'Switch to workspace Demo Scale' })).toBeVisible();
});

function commandMenu(page: Page) {
  const menu = page.getByRole('dialog', { name: 'Command menu' });
  return {
    menu,
    field: menu.getByRole('combobox', { name: 'Search commands' }),
    option: (name: string) => menu.getByRole('option', { name, exact: true }),
  };
}

/** Opens the menu, types a text, and runs the entry once it is the best match. */
async function runCommand(page: Page, text: string, name: string): Promise<void> {
  const { menu, field, option } = commandMenu(page);
  await page.keyboard.press('Control+k');
  await field.fill(text);
  await expect(option(name)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(menu).toHaveCount(0);
}
