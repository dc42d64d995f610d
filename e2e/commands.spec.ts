import { expect, type Page } from '@playwright/test';
import {
  box,
  button,
  openConversation,
  openOf,
  option,
  startConversation,
  thread,
  waiting,
} from './composer.ts';
import { eventsOf } from './connection.ts';
import { holdRequests } from './hold-requests.ts';
import { answerWith, resetPlatform } from './steps.ts';
import { test } from './test.ts';

// A teammate runs workflow commands.

test.beforeEach(({ page }) => resetPlatform(page));

test('commands run workflows, never reach the contact, and show whoever ran one that it was refused', {
  tag: '@journey',
}, async ({ page, openElsewhere }) => {
  const { inbox, connection } = await openConversation(page);
  await openRunForm(page);
  await expect(page.getByText('No commands yet')).toBeVisible();
  await expect(page.getByRole('dialog').getByRole('link', { name: 'saved reply' })).toHaveAttribute(
    'href',
    '/settings/saved-replies',
  );

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
  await expect(toast(page, '/refund')).toContainText('Delivered to Workflow Platform');
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
  await expect(page.getByRole('textbox', { name: 'Details' })).toBeFocused();
  await page.keyboard.type('from the button');
  await page.keyboard.press('Control+Enter');
  await expect(thread(page)).toContainText('Olivia Owen ran /refund: from the button');

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search commands' }).fill('run refund');
  await page.getByRole('option', { name: 'Run /refund' }).click();
  await expect(page.getByRole('textbox', { name: 'Details' })).toBeFocused();
  await page.keyboard.press('Escape');

  const ran = async () =>
    (await eventsOf(page))
      .filter(({ event }) => event === 'operator.command')
      .map(({ raw_body }) => JSON.parse(raw_body).arguments)
      .sort();
  await expect.poll(ran).toEqual(['from the button', 'twice, please']);

  await answerWith(page, '404');
  const agent = await openOf(openElsewhere, 'agent@demo.test', inbox);
  await openRunForm(agent);
  await button(agent, 'Run').click();
  const refused = 'Not delivered: refused by Workflow Platform (404)';
  await expect(toast(agent, '/refund')).toContainText(refused);
  await expect(thread(agent)).toContainText(refused);
  await expect(thread(page)).toContainText(refused);
  await agent
    .getByRole('button', { name: /^Notifications/ })
    .locator('visible=true')
    .click();
  const notifications = agent.getByRole('dialog', { name: 'Notifications' });
  await expect(notifications.getByRole('listitem').first()).toContainText('was not delivered: refused by');
});

test('the composer follows the commands of the workflows live, and sends as text what starts with a space', async ({
  page,
}) => {
  const { connection } = await openConversation(page);
  await test.step('a mistyped command stays in the box and lists the available commands, live', async () => {
    await box(page, 'Reply').fill('/refnd order 1042');
    await page.keyboard.press('Control+Enter');
    await expect(refusal(page)).toContainText('No workflow listens for /refnd, so nothing was sent.');
    await expect(refusal(page)).toContainText('There are no commands in this workspace yet.');
    await expect(refusal(page)).toContainText('To send it as text, start with a space.');
    await expect(box(page, 'Reply')).toHaveValue('/refnd order 1042');
    await expect(waiting(page)).toBeHidden();

    await connection.turnOn(['operator.command'], 'refund');
    await expect(refusal(page)).toContainText('The only command is /refund.');
    await refusal(page).getByRole('button', { name: '/refund' }).click();
    await expect(page.getByLabel('Command', { exact: true })).toHaveValue('refund');
    await expect(page.getByRole('textbox', { name: 'Details' })).toHaveValue('order 1042');
  });

  await test.step('the commands of an open composer follow the workflows live', async () => {
    await page.keyboard.press('Escape');
    await expect(box(page, 'Reply')).toBeFocused();
    await box(page, 'Reply').fill('');
    await box(page, 'Reply').pressSequentially('/refu');
    await expect(option(page, /\/refund/)).toBeVisible();
    await connection.turnOff('operator.command');
    await expect(option(page, /No matching saved reply or command/)).toBeVisible();
    await box(page, 'Reply').fill('/refund order 1042');
    await page.keyboard.press('Control+Enter');
    await expect(refusal(page)).toContainText('No workflow listens for /refund');
    await connection.turnOn(['operator.command'], 'refund');
    await expect(refusal(page)).toContainText('A workflow now listens for /refund. Press Send to run it.');
    await button(page, 'Send').click();
    await expect(page.getByLabel('Command', { exact: true })).toHaveValue('refund');
    await expect(thread(page)).not.toContainText('order 1042');
  });

  await test.step('a reply that is begun while a command is on its way stays', async () => {
    const release = await holdRequests(page, '**/commands.run');
    await button(page, 'Run').click();
    await box(page, 'Reply').fill('It is on its way.');
    release();
    await expect(toast(page, '/refund')).toBeVisible();
    await expect(box(page, 'Reply')).toHaveValue('It is on its way.');
  });

  await test.step('text that looks like a command is sent as text after a leading space', async () => {
    await box(page, 'Reply').fill(' /refnd is what to type');
    await page.keyboard.press('Control+Enter');
    await expect(waiting(page)).toContainText('/refnd is what to type');
    await expect(thread(page)).toContainText('/refnd is what to type');
  });

  await test.step('any command name runs where a workflow listens for every command', async () => {
    await connection.turnOff('operator.command');
    await connection.turnOn(['operator.command']);
    // The open page learns of it live; a loaded one knows it.
    await page.reload();
    await openRunForm(page);
    await page.getByLabel('Command', { exact: true }).fill('not a name');
    await button(page, 'Run').click();
    await expect(page.getByText('The command must start with a letter or digit')).toBeVisible();
    await page.getByLabel('Command', { exact: true }).fill('/Anything');
    await button(page, 'Run').click();
    await expect(thread(page)).toContainText('Olivia Owen ran /anything');
  });
});

test('a command that arrives after a merge is refused, with a link to the other conversation', async ({
  page,
  openElsewhere,
}) => {
  const mark = Date.now();
  const { connection } = await startConversation(page);
  await connection.turnOn(['operator.command'], 'refund');
  const start = (subject: string) =>
    connection.run('create-conversation', {
      to_email: `merged.${mark}@example.com`,
      to_name: 'Nora Newcomer',
      subject,
      content: 'Your order is on its way.',
    });
  await start(`First ${mark}`);
  const { id } = await start(`Second ${mark}`);
  await page.goto(`/inbox?selected=${id}`);
  const release = await holdRequests(page, '**/commands.run');
  await openRunForm(page);
  await button(page, 'Run').click();

  const other = await openOf(openElsewhere, 'owner@demo.test', `/inbox?selected=${id}`);
  await other.getByRole('button', { name: 'Merge into another conversation' }).click();
  const dialog = other.getByRole('dialog', { name: 'Merge into another conversation' });
  await dialog.getByRole('radio', { name: `First ${mark}` }).check();
  await dialog.getByRole('button', { name: 'Merge' }).click();
  await expect(thread(other)).toContainText('merged another conversation into this one');

  release();
  await expect(page.getByText('/refund was not run')).toBeVisible();
  await page.getByRole('region', { name: 'Composer' }).getByRole('link', { name: 'Continue there' }).click();
  await expect(page.getByRole('article', { name: `First ${mark}` })).toBeVisible();
});

const toast = (page: Page, title: string) =>
  page.locator('[data-sonner-toast]').filter({ hasText: title }).first();
const refusal = (page: Page) => page.getByRole('tabpanel').getByRole('alert');

/** Opens the form. Clicks before hydration do nothing, so retries until the form is open. */
async function openRunForm(page: Page): Promise<void> {
  const form = page.getByRole('dialog', { name: 'Run a command' });
  await expect(async () => {
    if (!(await form.isVisible())) await button(page, 'Run command').click();
    await expect(form).toBeVisible({ timeout: 5_000 });
  }).toPass();
}
