import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { box, button, openConversation, option, startConversation, thread, waiting } from './composer.ts';
import { eventsOf } from './connection.ts';
import { resetPlatform } from './steps.ts';
import { test } from './test.ts';

// A teammate runs workflow commands.

test.beforeEach(({ page }) => resetPlatform(page));

test('commands run workflows, typed or by the button, and never reach the contact', async ({ page }) => {
  const { inbox, connection } = await openConversation(page);
  await openRunForm(page);
  await expect(page.getByText('No commands yet')).toBeVisible();
  await expectAccessible(page);

  await connection.turnOn(['operator.command'], 'refund');
  await page.goto(inbox);
  await box(page, 'Reply').click();
  await page.keyboard.type('/re');
  await expect(option(page, /\/refund/)).toContainText('Runs 1 of Olivia Owen’s workflows');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Command', { exact: true })).toHaveValue('refund');
  await expect(page.getByRole('textbox', { name: 'Details' })).toBeFocused();
  await page.keyboard.type('twice, please');
  await button(page, 'Run').click();
  await expect(page.getByText('Ran /refund', { exact: true })).toBeVisible();
  await expect(box(page, 'Reply')).toHaveValue('');
  await expect(thread(page)).toContainText('Olivia Owen ran /refund: twice, please');

  await box(page, 'Reply').fill('/refund the other one');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('textbox', { name: 'Details' })).toHaveValue('the other one');
  await expect(waiting(page)).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(box(page, 'Reply')).toBeFocused();
  await box(page, 'Reply').fill('');

  await openRunForm(page);
  await expectAccessible(page);
  await page.getByRole('textbox', { name: 'Details' }).fill('from the button');
  await button(page, 'Run').click();
  await expect(thread(page)).toContainText('Olivia Owen ran /refund: from the button');

  const ran = async () =>
    (await eventsOf(page))
      .filter(({ event }) => event === 'operator.command')
      .map(({ raw_body }) => JSON.parse(raw_body).arguments)
      .sort();
  await expect.poll(ran).toEqual(['from the button', 'twice, please']);
});

test('a mistyped command stays in the box and lists the available commands, live', async ({ page }) => {
  const { connection } = await openConversation(page);
  await box(page, 'Reply').fill('/refnd order 1042');
  await page.keyboard.press('Control+Enter');
  await expect(refusal(page)).toContainText('No workflow listens for /refnd, so nothing was sent.');
  await expect(refusal(page)).toContainText('There are no commands in this workspace yet.');
  await expect(refusal(page)).toContainText('To send it as text, start with a space.');
  await expect(box(page, 'Reply')).toHaveValue('/refnd order 1042');
  await expect(waiting(page)).toBeHidden();

  await connection.turnOn(['operator.command'], 'refund');
  await expect(refusal(page)).toContainText('The only command is /refund.');
  await expectAccessible(page);
  await refusal(page).getByRole('button', { name: '/refund' }).click();
  await expect(page.getByLabel('Command', { exact: true })).toHaveValue('refund');
  await expect(page.getByRole('textbox', { name: 'Details' })).toHaveValue('order 1042');
});

test('the commands of an open composer follow the workflows live', async ({ page }) => {
  const { id, connection } = await startConversation(page);
  await connection.turnOn(['operator.command'], 'refund');
  await page.goto(`/inbox?selected=${id}`);
  await box(page, 'Reply').pressSequentially('/re');
  await expect(option(page, /\/refund/)).toBeVisible();
  await connection.turnOff('operator.command');
  await expect(option(page, /No commands yet/)).toBeVisible();
  await box(page, 'Reply').fill('/refund order 1042');
  await page.keyboard.press('Control+Enter');
  await expect(refusal(page)).toContainText('No workflow listens for /refund');
  await connection.turnOn(['operator.command'], 'refund');
  await expect(refusal(page)).toContainText('A workflow now listens for /refund. Press Send to run it.');
  await button(page, 'Send').click();
  await expect(page.getByLabel('Command', { exact: true })).toHaveValue('refund');
  await expect(thread(page)).not.toContainText('order 1042');
});

test('text that looks like a command is sent as text after a leading space', async ({ page }) => {
  await openConversation(page);
  await box(page, 'Reply').fill(' /refnd is what to type');
  await page.keyboard.press('Control+Enter');
  await expect(waiting(page)).toContainText('/refnd is what to type');
  await expect(thread(page)).toContainText('/refnd is what to type');
});

test('any command name runs where a workflow listens for every command', async ({ page }) => {
  const { id, connection } = await startConversation(page);
  await connection.turnOn(['operator.command']);
  await page.goto(`/inbox?selected=${id}`);
  await openRunForm(page);
  await page.getByLabel('Command', { exact: true }).fill('not a name');
  await button(page, 'Run').click();
  await expect(page.getByText('The command must start with a letter or digit')).toBeVisible();
  await page.getByLabel('Command', { exact: true }).fill('/Anything');
  await button(page, 'Run').click();
  await expect(thread(page)).toContainText('Olivia Owen ran /anything');
});

const refusal = (page: Page) => page.getByRole('tabpanel').getByRole('alert');

/** Opens the form. Clicks before hydration do nothing, so retries until the form is open. */
async function openRunForm(page: Page): Promise<void> {
  const form = page.getByRole('dialog', { name: 'Run a command' });
  await expect(async () => {
    if (!(await form.isVisible())) await button(page, 'Run command').click();
    await expect(form).toBeVisible({ timeout: 5_000 });
  }).toPass();
}
