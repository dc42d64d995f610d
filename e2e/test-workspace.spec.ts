import { expect } from '@playwright/test';
import { expectAccessibleEverywhere } from './accessible.ts';
import { listMailsTo } from './mails.ts';
import { goWithin, signIn } from './steps.ts';
import { test } from './test.ts';

// An owner creates a test workspace, a program uses its token, and a reply ends in its outbox.

test('an owner creates a test workspace, whose replies end in the outbox and whose tokens say that it is one', async ({
  page,
  request,
}) => {
  // The second owner is in one workspace only, so that no other flow opens the test workspace.
  await signIn(page, 'owner2@demo.test', '/settings/workspace');
  const banner = page.getByRole('complementary', { name: 'Test workspace' });
  await expect(page.getByRole('heading', { name: 'Test workspace' })).toBeVisible();
  await expect(banner).toHaveCount(0);
  await page.getByRole('button', { name: 'Create test workspace' }).click();
  await expect(page.getByRole('heading', { name: 'Outbox' })).toBeVisible();
  await expect(banner).toHaveText('Test workspace: nothing leaves it. Outbox');
  await expect(page.getByText('No messages yet')).toBeVisible();

  const address = `tessa.${Date.now()}@example.com`;
  await test.step('a contact writes by email and gets the reply in the outbox only', async () => {
    await page.getByRole('button', { name: 'Write as a contact' }).click();
    const form = page.getByRole('dialog', { name: 'Write as a contact' });
    await form.getByRole('button', { name: 'Receive message' }).click();
    await expect(form.getByText('Enter a complete email address')).toBeVisible();
    await expect(form.getByText('The message must not be empty.')).toBeVisible();
    await form.getByRole('textbox', { name: 'Name' }).fill('Tessa Test');
    await form.getByRole('textbox', { name: 'Email address' }).fill(address);
    await form.getByRole('textbox', { name: 'Subject' }).fill('Where is my parcel?');
    await form.getByRole('textbox', { name: 'Message' }).fill('It should have been here on Monday.');
    await form.getByRole('button', { name: 'Receive message' }).click();
    await expect(page.getByRole('heading', { name: 'Where is my parcel?' })).toBeVisible();
    await expect(banner).toBeVisible();
    await page.getByRole('textbox', { name: 'Reply', exact: true }).fill('It arrives tomorrow.');
    await page.getByRole('button', { name: 'Send', exact: true }).click();

    await goWithin(page, '/settings/outbox');
    const row = page.getByRole('link', { name: address });
    await expect(row).toContainText('It arrives tomorrow.', { timeout: 30_000 });
    await row.click();
    const item = page.getByRole('listitem').filter({ has: row });
    await expect(item).toContainText(`Tessa Test <${address}>`);
    await expect(item).toContainText('Re: Where is my parcel?');
    await expect(item.getByRole('region', { name: 'Text' })).toContainText('It arrives tomorrow.');
    await expectAccessibleEverywhere(page);
    expect(await listMailsTo(address)).toEqual([]);
  });

  await test.step('its token begins differently and reads the same conversation', async () => {
    await goWithin(page, '/settings/developers');
    await page.getByRole('button', { name: 'Create API token' }).click();
    const form = page.getByRole('dialog', { name: 'Create API token' });
    await form.getByRole('textbox', { name: 'Label' }).fill('Trial');
    await form.getByRole('checkbox', { name: 'Read' }).check();
    await form.getByRole('button', { name: 'Create token' }).click();
    const shown = page.getByRole('dialog', { name: 'Copy your API token' });
    const token = (await shown.locator('code').textContent()) ?? '';
    expect(token).toMatch(/^inbox_pk_test_[0-9A-Za-z]{32}$/);
    const get = async (path: string) =>
      (await request.get(`/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } })).json();
    expect(await get('/me')).toMatchObject({
      workspace: { name: 'Demo Business (test)', is_test: true },
    });
    expect((await get('/conversations')).data).toMatchObject([{ subject: 'Where is my parcel?' }]);
    await shown.getByRole('button', { name: 'Done' }).click();
  });

  await test.step('its teammates and channels cannot be changed', async () => {
    await goWithin(page, '/settings/teammates');
    await expect(
      page.getByText('A test workspace has the teammates and roles of its workspace.'),
    ).toBeVisible();
    await expect(page.getByRole('button', { name: /^(Invite|Remove|Leave)/ })).toHaveCount(0);
    await goWithin(page, '/settings/channels');
    await expect(page.getByText('All channels work without connecting them')).toBeVisible();
  });

  await test.step('deleting it leads back to the workspace', async () => {
    await goWithin(page, '/settings/workspace');
    await page.getByRole('button', { name: 'Delete workspace' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('textbox').fill('Demo Business (test)');
    await dialog.getByRole('button', { name: 'Delete workspace' }).click();
    await expect(page.getByRole('button', { name: 'Workspace: Demo Business', exact: true })).toBeVisible();
    await expect(banner).toHaveCount(0);
  });
});
