import { expect, type Page } from '@playwright/test';
import { clickOnceShown } from './click-once-shown.ts';
import { eventsOf } from './connection.ts';
import { connect, resetPlatform, signIn } from './steps.ts';
import { test } from './test.ts';
import { expectUncovered } from './toasts.ts';

// Teammates manage teams and companies.

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const domainField = (page: Page) => page.getByRole('textbox', { name: 'Add a domain' });

/** Creates a team or company in its dialog. */
async function create(page: Page, button: string, name: string): Promise<void> {
  await page.getByRole('button', { name: button }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: /^Create/ }).click();
}

test('a team is created, gets members and a conversation, and is renamed and deleted', async ({ page }) => {
  const name = `Returns ${Date.now()}`;
  await signIn(page, 'admin@demo.test', '/settings/teams');
  await create(page, 'New team', 'billing');
  await expect(field(page, 'Name')).toHaveAccessibleDescription(/There is already a team called billing/);
  await field(page, 'Name').fill(name);
  await page.getByRole('button', { name: 'Create team' }).click();
  const team = page.getByRole('listitem', { name, exact: true });
  await expect(team).toContainText('0 members');
  const removed = page.getByText(`Arjun Mehta is no longer in ${name}`).first().waitFor();
  await team.getByRole('button', { name: `Members of ${name}: Add a teammate` }).press('ArrowDown');
  const added = await clickOnceShown(page, 'Undo', () =>
    page.getByRole('menuitem', { name: 'Arjun Mehta' }).press('Enter'),
  );
  expect(added).toContain(`Arjun Mehta is in ${name}`);
  await removed;
  await expect(team).toContainText('0 members');

  // Another open page updates live.
  const inbox = await page.context().newPage();
  await inbox.goto('/inbox');
  await inbox.getByRole('button', { name: 'Filter', exact: true }).click();
  await expect(inbox.getByLabel('Team').getByRole('option', { name })).toHaveCount(1);
  await team.getByRole('button', { name: `Rename ${name}` }).click();
  await field(page, 'Name').fill(`${name} renamed`);
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await expect(page.getByRole('listitem', { name: `${name} renamed` })).toBeVisible();
  await expect(inbox.getByLabel('Team').getByRole('option', { name: `${name} renamed` })).toHaveCount(1);

  await inbox.goto('/inbox');
  await inbox.getByRole('main').getByRole('link', { name: /.+/ }).locator('visible=true').last().click();
  const select = inbox.getByRole('region', { name: 'Details' }).getByLabel('Team');
  await select.selectOption({ label: `${name} renamed` });
  await expect(inbox.getByText(`Moved to the team ${name} renamed`)).toBeVisible();
  const view = inbox.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: `${name} renamed` });
  await expect(view).toHaveText(/renamed\s*1 open/);
  await view.click();
  await expect(view).toHaveAttribute('aria-current', 'page');
  await expect(inbox.locator('[data-conversation]')).toHaveCount(1);
  await inbox.locator('[data-conversation]').click();
  await page.reload();
  await page.getByRole('button', { name: `Delete ${name} renamed` }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('1 conversation will have no team.');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('listitem', { name: `${name} renamed` })).toHaveCount(0);
  await expect(inbox.getByText(`removed this conversation from the team ${name} renamed`)).toBeVisible();
  await expect(select).toHaveValue('');
  await expect(view).toHaveCount(0);
});

test('a company’s domain links existing and new contacts, including those from the platform', async ({
  page,
}) => {
  await resetPlatform(page);
  const number = Date.now();
  const domain = `wolf${number}.example`;
  const connection = await connect(page, 'owner@demo.test');
  await connection.run('create-contact', { name: 'Wanda Wolf', email: `wanda@${domain}` });
  await connection.turnOn(['contact.created']);

  await page.goto('/contacts');
  await page.getByRole('link', { name: 'Companies' }).click();
  await create(page, 'New company', `Wolf & Co ${number}`);
  await expect(page.getByRole('heading', { level: 1, name: `Wolf & Co ${number}` })).toBeVisible();
  await domainField(page).fill('gmail.com');
  await page.getByRole('button', { name: 'Add domain' }).click();
  await expect(domainField(page)).toHaveAccessibleDescription(/Anyone can have an address at gmail.com/);
  await domainField(page).fill(domain.toUpperCase());
  await page.getByRole('button', { name: 'Add domain' }).click();
  const row = page.getByRole('listitem', { name: domain });
  await expect(row).toContainText('1 contact with an address on this domain has no company.');
  const company = page.getByRole('heading', { level: 1, name: `Wolf & Co ${number}` });
  const link = row.getByRole('button', { name: 'Link 1 contact' });
  await expectUncovered(page, [company, link], () => link.click());
  await expect(page.getByText(`1 contact linked to Wolf & Co ${number}`)).toBeVisible();
  await expect(page.getByRole('rowheader', { name: 'Wanda Wolf' })).toBeVisible();
  const address = page.url();

  await page.goto('/contacts/new');
  await field(page, 'Name').fill('Wim Wolf');
  await field(page, 'Email').fill(`wim@${domain}`);
  await page.getByRole('button', { name: 'Create contact' }).click();
  const details = page.getByRole('region', { name: 'Details' });
  await details.getByRole('link', { name: `Wolf & Co ${number}` }).click();
  await expect(page).toHaveURL(address);
  await expect(page.getByRole('rowheader')).toHaveCount(2);
  const received = async () => (await eventsOf(page)).map(({ raw_body }) => raw_body).join('\n');
  await expect.poll(received).toContain(`Wolf & Co ${number}`);

  await page.goto('/contacts/companies');
  await page.getByLabel('Search companies').fill(domain);
  await expect(page).toHaveURL(/search=/);
  await expect(page.getByRole('rowheader')).toHaveCount(1);
  await page.getByRole('link', { name: `Wolf & Co ${number}` }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('2 contacts will have no company.');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page).toHaveURL(/\/contacts\/companies$/);
  await page.goto(address);
  await expect(page.getByRole('heading', { name: `Wolf & Co ${number}` })).toHaveCount(0);
});
