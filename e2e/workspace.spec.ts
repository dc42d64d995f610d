import { expect, type Page } from '@playwright/test';
import { control } from './control-providers.ts';
import { holdRefresh } from './hold-refresh.ts';
import { connect, goWithin, resetPlatform, signIn } from './steps.ts';
import { test } from './test.ts';

// Owners and admins manage the workspace: plan, settings and past connections.

test.beforeEach(({ page }) => resetPlatform(page));

test('an admin saves the workspace’s name and automatic actions', async ({ page }) => {
  await signIn(page, 'admin@demo.test');
  await openWorkspace(page, 'Demo Growth', 'Demo Business');
  await page.goto('/settings/workspace');
  const general = region(page, 'General');
  const name = general.getByLabel('Workspace name');
  const assigns = general.getByLabel('Assign on reply');
  const closes = general.getByLabel('Close solved conversations');
  const days = general.getByLabel('After (days)');
  await expect(assigns).toBeChecked();

  await name.fill('');
  await general.getByRole('button', { name: 'Save' }).click();
  await expect(name).toHaveAccessibleDescription('The workspace name must not be empty.');
  await expect(name).toBeFocused();

  await name.fill('Demo Business & Sons');
  await assigns.uncheck();
  await closes.check();
  await days.fill('0');
  await general.getByRole('button', { name: 'Save' }).click();
  await expect(days).toHaveAccessibleDescription(/whole number of days from 1 to 365/);
  await expect(assigns).not.toBeChecked();
  await days.fill('30');
  await general.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Workspace: Demo Business & Sons' })).toBeVisible();

  await page.reload();
  await expect(assigns).not.toBeChecked();
  await expect(closes).toBeChecked();
  await expect(days).toHaveValue('30');
  await expect(region(page, 'Delete workspace')).toContainText('Only owners can delete the workspace.');

  await name.fill('Demo Business');
  await assigns.check();
  await closes.uncheck();
  await general.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'Workspace: Demo Business', exact: true })).toBeVisible();
  await openWorkspace(page, 'Demo Business', 'Demo Growth');
});

test('saving the workspace keeps what another admin saved in the meantime', async ({
  page,
  openElsewhere,
}) => {
  await signIn(page, 'owner2@demo.test', '/inbox');
  await goWithin(page, '/settings/workspace');
  const [assigns, closes] = ['Assign on reply', 'Close solved conversations'];
  await expect(page.getByLabel(assigns)).toBeChecked();

  const other = await openElsewhere();
  await signIn(other, 'owner2@demo.test', '/settings/workspace');
  await other.getByLabel(assigns).uncheck();
  await saveSettings(other);

  // The first save also refreshes the page.
  await page.getByLabel(closes).check();
  await saveSettings(page);
  await page.getByLabel(closes).uncheck();
  await saveSettings(page);
  await page.reload();
  await expect(page.getByLabel(closes)).not.toBeChecked();
  await expect(page.getByLabel(assigns)).not.toBeChecked();

  await page.getByLabel(assigns).check();
  await saveSettings(page);
});

test('a page that missed the switch to another workspace saves nothing in that one', async ({
  phone: page,
}) => {
  // As on a phone that has suspended the page.
  await page.addInitScript(() =>
    addEventListener('storage', (event) => event.stopImmediatePropagation(), true),
  );
  await page.route('**/live*', (route) => route.abort());
  await signIn(page, 'admin@demo.test', '/settings/workspace');
  const other = await page.context().newPage();
  await other.setViewportSize({ width: 1440, height: 720 });
  await other.goto('/settings/workspace');
  await openWorkspace(other, 'Demo Growth', 'Demo Business');

  const name = page.getByLabel('Workspace name');
  await name.fill('Renamed');
  await region(page, 'General').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Another workspace is open. Load the page again.')).toBeVisible();
  await expect(name).toHaveValue('Renamed');
  await other.reload();
  await expect(other.getByLabel('Workspace name')).toHaveValue('Demo Business');
  await openWorkspace(other, 'Demo Business', 'Demo Growth');
});

async function saveSettings(page: Page): Promise<void> {
  const saved = page.waitForResponse((response) => response.request().method() === 'POST');
  await region(page, 'General').getByRole('button', { name: 'Save' }).click();
  await saved;
  await expect(page.getByText('Settings saved').first()).toBeVisible();
}

test('an admin adds, changes and removes domains and mailboxes', async ({ page }) => {
  await test.step('an admin adds a domain, sees its record and the check’s result, and removes it', async () => {
    await signIn(page, 'admin@demo.test', '/settings/channels/email');
    const domains = region(page, 'Email domains');
    const field = domains.getByLabel('Add a domain', { exact: true }).and(page.getByRole('textbox'));
    await field.fill('not a domain');
    await domains.getByRole('button', { name: 'Add domain' }).click();
    await expect(field).toHaveAccessibleDescription(/for example example\.com/);
    await expect(field).toHaveValue('not a domain');

    const domain = `d${Date.now()}.test`;
    await field.fill(domain);
    await domains.getByRole('button', { name: 'Add domain' }).click();
    const row = domains.getByRole('listitem', { name: domain });
    await expect(row).toContainText('Not verified yet');
    await expect(field).toHaveValue('');
    await expect(field).toBeFocused();
    await expect(row).toContainText(`_inbox-verification.${domain}`);
    await expect(row.getByRole('button', { name: /^Copy/ })).toHaveCount(3);

    await row.getByRole('button', { name: `Verify ${domain}` }).click();
    await expect(row.getByRole('status').last()).toContainText(/There is no TXT record at|did not answer/);
    await expect(row).toContainText('Not verified yet');

    const value = (await row.getByText(/^inbox-verification=/).textContent()) ?? '';
    await control(page, 'POST', '/dns-records', {
      type: 'TXT',
      name: `_inbox-verification.${domain}`,
      value,
    });
    await row.getByRole('button', { name: `Verify ${domain}` }).click();
    await expect(row).toContainText('There is no MX record, so no email arrives.');
    await control(page, 'POST', '/dns-records', { type: 'MX', name: domain, value: '10 localhost' });
    await row.getByRole('button', { name: `Look up the MX record of ${domain}` }).click();
    await expect(row).toContainText('The MX record points here.');

    await row.getByRole('button', { name: `Remove ${domain}` }).click();
    await dialog(page).getByRole('button', { name: 'Remove' }).click();
    await expect(row).toBeHidden();
    await expect(page.getByRole('heading', { name: 'Email domains' })).toBeFocused();
  });

  await test.step('an admin adds a mailbox, makes it the default, renames and removes it', async () => {
    const mailboxes = region(page, 'Mailboxes');
    const before = mailboxes.getByRole('listitem').filter({ hasText: /Default/ });
    const chosen = (await before.getAttribute('aria-label')) ?? '';
    const address = mailboxes.getByLabel('Mailbox address');
    const add = mailboxes.getByRole('button', { name: 'Add mailbox' });
    await mailboxes.getByLabel('Name', { exact: true }).fill('Returns');
    await address.fill('returns@elsewhere.example');
    await add.click();
    await expect(address).toHaveAccessibleDescription(/elsewhere\.example is not in this workspace/);
    await expect(mailboxes.getByLabel('Name', { exact: true })).toHaveValue('Returns');

    const tested = mailboxes.getByRole('listitem', { name: chosen });
    await tested.getByRole('button', { name: `Send test email to ${chosen}` }).click();
    // Shown without a reload.
    await expect(tested).toContainText('Test email received at');

    const added = `returns.${Date.now()}@${chosen.slice(chosen.lastIndexOf('@') + 1)}`;
    await address.fill(added);
    await add.click();
    const row = mailboxes.getByRole('listitem', { name: added });
    await expect(row).toContainText('Returns');
    await row.getByRole('button', { name: `Make default: ${added}` }).click();
    await expect(row).toContainText('Default');
    await expect(page.getByRole('heading', { name: 'Mailboxes' })).toBeFocused();

    const old = mailboxes.getByRole('listitem', { name: chosen });
    await old.getByRole('button', { name: `Make default: ${chosen}` }).click();
    await expect(old).toContainText('Default');

    await row.getByRole('button', { name: `Rename ${added}` }).click();
    const rename = page.getByRole('dialog', { name: 'Rename mailbox' });
    await rename.getByLabel('Name').fill('Returns desk');
    await rename.getByRole('button', { name: 'Save' }).click();
    await expect(row).toContainText('Returns desk');
    await expect(old.getByRole('button', { name: `Remove ${chosen}` })).toBeHidden();
    await row.getByRole('button', { name: `Remove ${added}` }).click();
    await expect(dialog(page)).toContainText(`Replies to them are sent from ${chosen}.`);
    await dialog(page).getByRole('button', { name: 'Remove' }).click();
    await expect(row).toBeHidden();
  });
});

test('an owner sets SLA targets, and deletes nothing by typing another name', async ({ page }) => {
  await test.step('SLA targets are set in minutes or hours', async () => {
    await signIn(page, 'owner@demo.test', '/settings/workspace');
    const first = page.getByLabel('First response within', { exact: true });
    const solution = page.getByLabel('Resolution within', { exact: true });
    const before = [await first.inputValue(), await solution.inputValue()];
    await first.fill('0');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(first).toHaveAccessibleDescription(/from 1 minute to 2160 hours/);
    await first.fill('45');
    await page.getByLabel('First response within: minutes or hours').selectOption('minutes');
    const letRefresh = await holdRefresh(page);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Settings saved')).toBeVisible();
    // Save again before the page has refreshed.
    await solution.fill('');
    const savedAgain = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.getByRole('button', { name: /^Sav/ }).click();
    letRefresh();
    await savedAgain;
    await page.reload();
    await expect(first).toHaveValue('45');
    await expect(page.getByLabel('First response within: minutes or hours')).toHaveValue('minutes');
    await expect(solution).toHaveValue('');
    await first.fill(before[0] ?? '');
    await page.getByLabel('First response within: minutes or hours').selectOption('hours');
    await solution.fill(before[1] ?? '');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Settings saved')).toBeVisible();
  });

  await test.step('typing another name deletes nothing', async () => {
    await page.getByRole('button', { name: 'Delete workspace' }).click();
    await expect(dialog(page)).toContainText('This can’t be undone.');
    await expect(dialog(page)).toContainText(/You and \d+ other teammates lose access/);
    const name = dialog(page).getByLabel('Type Demo Growth to confirm');
    await name.fill('demo growth');
    await dialog(page).getByRole('button', { name: 'Delete workspace' }).click();
    await expect(name).toHaveAccessibleDescription(
      'Type the workspace name exactly as it is written: Demo Growth',
    );
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog(page)).toBeHidden();
  });
});

test('disconnecting lists the stopped workflows, and the histories show who disconnected', async ({
  page,
}) => {
  const connection = await connect(page, 'owner@demo.test');
  await connection.turnOn(['conversation.tagged']);

  await page.context().clearCookies();
  await signIn(page, 'admin@demo.test', '/settings/integrations');
  await page
    .getByRole('article', { name: 'Olivia Owen' })
    .getByRole('button', { name: 'Disconnect' })
    .click();
  await expect(dialog(page)).toContainText('1 live workflow stops');
  await expect(dialog(page).getByRole('listitem')).toHaveText(['Conversation Tagged']);
  await dialog(page).getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByRole('heading', { name: 'Connections to Workflow Platform' })).toBeFocused();

  const past = region(page, 'Past connections').getByRole('listitem').first();
  await expect(past).toContainText('Olivia Owen');
  await expect(past).toContainText('Amara Diallo disconnected it here.');
  await expect(past).toContainText('To restore it, connect again in Workflow Platform.');
  const history = region(page, 'History').getByRole('listitem');
  await expect(history.nth(0)).toContainText('Amara Diallo disconnected Olivia Owen’s connection.');
  await expect(history.nth(1)).toContainText('Olivia Owen approved a connection to Workflow Platform.');

  await page.goto('/settings/integrations/history');
  await expect(
    page.getByRole('listitem').filter({ hasText: 'Amara Diallo disconnected' }).first(),
  ).toBeVisible();
  await page.goto('/settings/integrations/ended');
  await expect(page.getByRole('listitem').filter({ hasText: 'Amara Diallo' }).first()).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Integrations' }).click();
  await expect(page).toHaveURL(/\/settings\/integrations$/);
});

/** Switches workspaces and waits until the workspace is open. */
async function openWorkspace(page: Page, from: string, to: string): Promise<void> {
  await page.getByRole('button', { name: `Workspace: ${from}` }).click();
  await page.getByRole('menuitemradio', { name: new RegExp(`^${to}`) }).click();
  await expect(page.getByRole('button', { name: `Workspace: ${to}` })).toBeVisible();
}

function region(page: Page, name: string) {
  return page.getByRole('region', { name, exact: true });
}

function dialog(page: Page) {
  return page.getByRole('alertdialog');
}
