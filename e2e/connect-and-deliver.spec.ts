import { expect } from '@playwright/test';
import { PLATFORM_URL } from './connection.ts';
import { connect, connectOnScreen, resetPlatform, signIn } from './steps.ts';
import { test } from './test.ts';

test.beforeEach(({ page }) => resetPlatform(page));

test('a newcomer connects, creates a workflow, and sees it run when a conversation starts', {
  tag: '@journey',
}, async ({ page }) => {
  await connectOnScreen(page, 'owner@demo.test');

  await page
    .getByRole('form', { name: 'New workflow' })
    .getByRole('button', { name: 'Create and turn on' })
    .click();
  const workflow = page.getByRole('listitem', { name: 'New Conversation → Add Internal Note' });
  await expect(workflow.getByRole('switch')).toBeChecked();

  const subject = `Your order ${Date.now()}`;
  const form = page.getByRole('form', { name: 'Create Conversation' });
  await form.getByLabel('To email').fill('Newcomer@Example.com');
  await form.getByLabel('To name').fill('Nora Newcomer');
  await form.getByLabel('Subject').fill(subject);
  await form.getByLabel('Content').fill('Hello Nora, your order is on its way.');
  await form.getByRole('button', { name: 'Run' }).click();
  await expect(form.getByRole('status')).toContainText('201 Created');

  const event = page.getByRole('list', { name: 'Events' }).getByRole('listitem').first();
  await expect(event).toContainText('New Conversation');
  await expect(event).toContainText(subject);
  await expect(workflow.getByRole('list', { name: 'Last runs' })).toContainText('Succeeded');
  const seen = page.locator('#seen-conversation option', { hasText: subject });
  await expect(seen, 'the new conversation’s id is suggested without a reload').toBeAttached();

  const state = await (await page.request.get(`${PLATFORM_URL}/api/state`)).text();
  expect(state).toContain('"conversation.created"');
  expect(state).toContain('newcomer@example.com');
  expect(state).not.toMatch(/kz[acr]_/);

  await page.goto('/inbox');
  await page.getByRole('link', { name: subject }).first().click();
  await expect(page.getByRole('heading', { name: subject })).toBeVisible();
  const messages = page.getByRole('region', { name: 'Messages' });
  await expect(messages).toContainText('via Workflow Platform');
  await expect(messages).toContainText('Hello from a workflow. The channel is email.');

  await page.goto('/settings/integrations');
  await expect(page.getByRole('region', { name: 'Integration slots' })).toContainText('3 of 5 slots used');
  await expect(page.getByRole('article', { name: 'Olivia Owen' })).toContainText('New Conversation');
  const platform = page.getByRole('link', { name: 'Open Workflow Platform' });
  await expect(platform).toHaveAttribute('href', PLATFORM_URL);
});

test('a workflow shows why its action failed, maps fields of the event, and stops when it is turned off', async ({
  page,
}) => {
  await connectOnScreen(page, 'owner@demo.test');
  const form = page.getByRole('form', { name: 'New workflow' });
  await expect(form).not.toHaveAttribute('inert');
  await form.getByLabel('When this happens').selectOption('New Contact');
  await form.getByLabel('Do this').selectOption('Update Contact');
  await expect(form.getByLabel('Contact ID')).toHaveValue('{{contact.id}}');
  await form.getByLabel('Language').fill('much too long');
  await form.getByLabel('City').fill('');
  await form.getByLabel('Field of the event').selectOption('contact name');
  await form.getByRole('button', { name: 'Insert' }).click();
  await expect(form.getByLabel('City')).toHaveValue('{{contact.name}}');
  await form.getByRole('button', { name: 'Create and turn on' }).click();
  const workflow = page.getByRole('listitem', { name: 'New Contact → Update Contact' });
  await expect(workflow.getByRole('switch')).toBeChecked();

  const contact = page.getByRole('form', { name: 'Create Contact' });
  await contact.getByLabel('Name').fill('Rosa Runner');
  await contact.getByRole('button', { name: 'Run' }).click();
  const runs = workflow.getByRole('list', { name: 'Last runs' });
  await expect(runs).toContainText('Failed');
  await expect(runs).toContainText('Rosa Runner');

  await workflow.getByRole('switch').click();
  await expect(workflow.getByRole('switch')).not.toBeChecked();
  const { subscriptions } = await (await page.request.get(`${PLATFORM_URL}/api/state`)).json();
  expect(subscriptions).toMatchObject([{ event: 'contact.created', state: 'off' }]);
  await workflow.getByRole('button', { name: 'Delete' }).click();
  await expect(workflow).toBeHidden();
});

test('disconnecting at the service stops the connection, and both sides show it', {
  tag: '@journey',
}, async ({ page }) => {
  await connect(page, 'owner@demo.test');
  await page.goto('/settings/integrations');
  await page.getByRole('button', { name: 'Disconnect' }).click();
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  await dialog.getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByRole('article', { name: 'Olivia Owen' })).toBeHidden();
  await expect(page.getByRole('region', { name: 'Integration slots' })).toContainText('2 of 5 slots used');

  await page.goto(PLATFORM_URL);
  const connection = page.getByRole('listitem', { name: 'Demo Growth (owner@demo.test)' });
  await connection.getByRole('button', { name: 'Test' }).click();
  await expect(connection).toContainText('Needs to be reconnected');
});

test('a teammate switches workspaces in all tabs, and a link into another workspace offers to switch', async ({
  page,
}) => {
  await test.step('a teammate switches workspaces, in all tabs, and the workspace stays open', async () => {
    await signIn(page, 'agent@demo.test');
    const other = await page.context().newPage();
    await other.route('**/live?*', (route) => route.abort());
    await other.goto('/settings/account');
    await expect(other.getByRole('button', { name: 'Workspace: Demo Growth' })).toBeVisible();
    await page.getByRole('button', { name: 'Workspace: Demo Growth' }).click();
    await page.getByRole('menuitemradio', { name: /Demo Scale/ }).click();
    await expect(page.getByRole('button', { name: 'Workspace: Demo Scale' })).toBeVisible();
    // The tab loads again. Until its style sheet is there, the bars of both layouts are visible.
    await expect(other.getByRole('button', { name: 'Workspace: Demo Scale' })).toHaveCount(1);
    await other.close();
    await page.reload();
    await expect(page.getByRole('button', { name: 'Workspace: Demo Scale' })).toBeVisible();
    await page.getByRole('button', { name: 'Workspace: Demo Scale' }).click();
    await page.getByRole('menuitemradio', { name: /Demo Growth/ }).click();
    await expect(page.getByRole('button', { name: 'Workspace: Demo Growth' })).toBeVisible();
  });

  await test.step('a link into another workspace of the teammate offers to switch', async () => {
    await page.goto('/inbox');
    await page.getByRole('list', { name: 'Conversations' }).getByRole('link').first().click();
    await page.waitForURL('**selected=**');
    const link = page.url();
    await page.getByRole('button', { name: 'Workspace: Demo Growth' }).click();
    await page.getByRole('menuitemradio', { name: /Demo Scale/ }).click();
    await expect(page.getByRole('button', { name: 'Workspace: Demo Scale' })).toBeVisible();

    expect((await page.goto(link))?.status()).toBe(200);
    await expect(page.getByText('This conversation is in Demo Growth')).toBeVisible();
    await page.getByRole('button', { name: 'Open Demo Growth' }).click();
    await expect(page.getByRole('button', { name: 'Workspace: Demo Growth' })).toBeVisible();
    await expect(page).toHaveURL(link);
    await expect(page.getByRole('region', { name: 'Messages' })).toBeVisible();

    await page.goto('/contacts');
    await page.getByRole('main').getByRole('link', { name: /@/ }).first().click();
    await page.waitForURL(/contacts\/[0-9a-f-]{36}/);
    const form = `${new URL(page.url()).pathname}/edit`;
    await page.getByRole('button', { name: 'Workspace: Demo Growth' }).click();
    await page.getByRole('menuitemradio', { name: /Demo Scale/ }).click();
    await expect(page.getByRole('button', { name: 'Workspace: Demo Scale' })).toBeVisible();
    expect((await page.goto(form))?.status()).toBe(200);
    await expect(page.getByRole('heading', { name: 'This contact is in Demo Growth' })).toBeAttached();
    await page.getByRole('button', { name: 'Open Demo Growth' }).click();
    await expect(page).toHaveURL(form);
    await expect(page.getByRole('heading', { name: 'Edit contact' })).toBeVisible();

    const nowhere = link.replace(/selected=[^&]+/, 'selected=01890000-0000-7000-8000-000000000000');
    const none = '/contacts/01890000-0000-7000-8000-000000000000';
    for (const address of [nowhere, none, `${none}/edit`]) {
      expect((await page.goto(address))?.status()).toBe(404);
      await expect(page.getByText('There is nothing here')).toBeVisible();
    }
  });
});
