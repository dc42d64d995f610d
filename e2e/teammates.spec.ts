import { expect, type Page } from '@playwright/test';
import { expectAccessibleEverywhere } from './accessible.ts';
import { linkIn, mailTo } from './mails.ts';
import { connect, DEMO_PASSWORD, fillInSignIn, resetPlatform, signIn } from './steps.ts';
import { test } from './test.ts';

// Teammates are invited by email, join, change roles, reset a forgotten password and are removed.

test.beforeEach(({ page }) => resetPlatform(page));

test('a person is invited, joins, becomes an admin, connects, and is removed with their connection', {
  tag: '@journey',
}, async ({ page, openElsewhere }) => {
  const email = newAddress('ada');
  const name = `Ada Adams ${Date.now()}`;
  await openTeammates(page, 'owner@demo.test');
  await invite(page, email, 'Agent');
  await expect(teammate(page, email)).toContainText('Sent just now, valid until');
  const link = linkIn(await mailTo(email));

  const theirs = await openElsewhere();
  const opened = await theirs.goto(link);
  expect(opened?.headers()['referrer-policy']).toBe('no-referrer');
  expect(opened?.headers()['cache-control']).toContain('no-store');
  await expect(theirs.getByRole('heading', { name: 'Join Demo Growth' })).toBeVisible();
  await expect(theirs.getByText('Create your account to become an agent of Demo Growth.')).toBeVisible();
  await theirs.getByLabel('Your name').fill(name);
  await theirs.getByLabel('Password', { exact: true }).fill('short');
  await theirs.getByRole('button', { name: 'Join Demo Growth' }).click();
  await expect(theirs.getByText('The password must have at least 8 characters.')).toBeVisible();
  await expect(theirs.getByLabel('Password', { exact: true })).toBeFocused();
  await expect(theirs.getByLabel('Your name')).toHaveValue(name);
  await theirs.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await theirs.getByRole('button', { name: 'Join Demo Growth' }).click();
  await theirs.waitForURL('**/inbox');
  await theirs.goto('/settings/teammates');
  await expect(theirs.getByText('Your role in Demo Growth is agent')).toBeVisible();

  await expect(member(page, name)).toBeVisible();
  await expect(teammate(page, email)).toBeHidden();
  // Agent is chosen. No role on the way to another one is set.
  const role = member(page, name).getByRole('button', { name: `Role of ${name}` });
  await role.press('Enter');
  await page.getByRole('menuitemradio', { name: 'Agent' }).press('ArrowUp');
  await page.getByRole('menuitemradio', { name: 'Admin' }).press('Enter');
  await expect(page.getByText(`${name} is now an admin`)).toBeVisible();
  await page.reload();
  await expect(role).toHaveText(`Role of ${name}: Admin`);

  await theirs.context().clearCookies();
  await connect(theirs, email);
  await theirs.goto('/settings/integrations');
  await expect(theirs.getByRole('article', { name })).toBeVisible();

  await page.reload();
  await expect(member(page, name)).toContainText('1 connection to');
  await member(page, name).getByRole('button', { name: 'Remove' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText(`${name}’s connection to`);
  await expect(dialog).toContainText('will be disconnected immediately.');
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText(`${name} is no longer in Demo Growth`)).toBeVisible();
  await expect(member(page, name)).toBeHidden();
  await page.goto('/settings/integrations');
  await expect(page.getByRole('heading', { name: 'Integrations' })).toBeVisible();
  await expect(page.getByText('No connections yet')).toBeVisible();
  await theirs.goto('/inbox');
  await theirs.waitForURL('**/no-workspace');
  await expectAccessibleEverywhere(theirs);
});

test('a new user joins without scripts, and a user with an account signs in first', async ({
  page,
  browser,
  openElsewhere,
}) => {
  const email = newAddress('nora');
  await openTeammates(page, 'owner@demo.test');
  await invite(page, email, 'Viewer');
  const plain = await browser.newPage({ javaScriptEnabled: false });
  await plain.goto(linkIn(await mailTo(email)));
  await plain.getByLabel('Your name').fill('Nora Noscript');
  await plain.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await plain.getByRole('button', { name: 'Join Demo Growth' }).click();
  await plain.waitForURL('**/inbox');
  await plain.close();

  await page.context().clearCookies();
  await openTeammates(page, 'owner2@demo.test');
  await invite(page, email, 'Agent');
  const link = linkIn(await mailTo(email, 1));
  const theirs = await openElsewhere();
  await theirs.goto(link);
  await expect(theirs.getByText('This address already has an account.')).toBeVisible();
  await theirs.getByRole('link', { name: 'Sign in' }).click();
  await fillInSignIn(theirs, email);
  await expect(theirs.getByRole('button', { name: 'Join Demo Business' })).toBeVisible();
  await theirs.getByRole('button', { name: 'Join Demo Business' }).click();
  await theirs.waitForURL('**/inbox');
  await expect(theirs.getByRole('button', { name: 'Workspace: Demo Business' })).toBeVisible();

  await theirs.goto('/settings/teammates');
  await theirs.getByRole('button', { name: 'Leave' }).click();
  await theirs.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
  await expect(theirs.getByRole('button', { name: 'Workspace: Demo Growth' })).toBeVisible();
});

test('resending or withdrawing an invitation invalidates its earlier link', async ({ page }) => {
  const email = newAddress('wim');
  await openTeammates(page, 'admin@demo.test');
  await invite(page, email, 'Viewer');
  const first = linkIn(await mailTo(email));
  await teammate(page, email).getByRole('button', { name: 'Send again' }).click();
  await expect(page.getByText(`${email} gets a new link`)).toBeVisible();
  const second = linkIn(await mailTo(email, 1));
  await page.goto(first);
  await expect(page.getByText('This link no longer works.')).toBeVisible();
  await page.goto(second);
  await expect(page.getByText(`This invitation is for ${email}, and you are signed in as`)).toBeVisible();

  await page.goto('/settings/teammates');
  await teammate(page, email).getByRole('button', { name: 'Withdraw' }).click();
  await expect(page.getByText(`Invitation for ${email} withdrawn`)).toBeVisible();
  await expect(teammate(page, email)).toBeHidden();
  await page.goto(second);
  await expect(page.getByText('This invitation was withdrawn.')).toBeVisible();
});

test('an owner learns that an address is a teammate’s, and that the last owner cannot delete their account', async ({
  page,
}) => {
  await test.step('an address of a teammate is reported at its field', async () => {
    await openTeammates(page, 'owner@demo.test');
    const form = page.getByRole('form', { name: 'Invite a teammate' });
    const field = form.getByLabel('Email');
    await field.fill('viewer@demo.test');
    await form.getByRole('button', { name: 'Invite' }).click();
    await expect(field).toHaveAccessibleDescription('viewer@demo.test is already in this workspace.');
    await expect(field).toBeFocused();
    await expect(field).toHaveValue('viewer@demo.test');
  });

  await test.step('the last owner of a workspace learns why they cannot delete their account', async () => {
    await page.goto('/settings/account');
    const deletion = page.getByRole('region', { name: 'Delete account' });
    await expect(deletion.getByText('You are the only owner of')).toBeVisible();
    await expect(deletion.getByLabel('Your password')).toHaveCount(0);
  });
});

test('agents see all teammates, cannot change them, and learn why', async ({ page }) => {
  await openTeammates(page, 'agent@demo.test');
  // While the page streams in, its parts exist twice, once hidden.
  await expect(
    page.getByText('Owners and admins invite and remove teammates').filter({ visible: true }),
  ).toBeVisible();
  await expect(member(page, 'Olivia Owen')).toContainText('Owner');
  await expect(page.getByRole('combobox')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Remove' })).toHaveCount(0);
  await expect(page.getByRole('form', { name: 'Invite a teammate' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('assigned to you');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(member(page, 'Arjun Mehta')).toBeVisible();
});

test('a forgotten password is reset by a single-use link, and the account is deleted with the new one', {
  tag: '@journey',
}, async ({ page, openElsewhere }) => {
  const email = newAddress('fay');
  await openTeammates(page, 'owner@demo.test');
  await invite(page, email, 'Agent');
  const theirs = await joinAs(openElsewhere, linkIn(await mailTo(email)), 'Fay Forgetful');
  await page.context().clearCookies();

  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  const unknown = newAddress('nobody');
  for (const address of [unknown, email]) {
    await page.goto('/forgot-password');
    await page.getByLabel('Email').fill(address);
    await page.getByRole('button', { name: 'Send link' }).click();
    await expect(page.getByText(`If there is an account for ${address}, we’ve sent a link`)).toBeVisible();
  }
  const link = linkIn(await mailTo(email, 1));
  const opened = await page.goto(link);
  expect(opened?.headers()['referrer-policy']).toBe('no-referrer');
  expect(opened?.headers()['cache-control']).toContain('no-store');
  await page.getByLabel('New password').fill('another-password');
  await page.getByRole('button', { name: 'Save password' }).click();
  await expect(page.getByText('Your new password is saved. Sign in with it.')).toBeVisible();
  await theirs.goto('/inbox');
  await theirs.waitForURL('**/sign-in?next=*');

  await page.goto(link);
  await expect(page.getByText('This link is no longer valid')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Request a new link' })).toBeVisible();
  await page.goto('/sign-in?next=/settings/account');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('another-password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/settings/account');

  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Fay Mindful');
  await page.getByRole('button', { name: 'Save name' }).click();
  await expect(page.getByText('Name saved')).toBeVisible();
  const deletion = page.getByRole('region', { name: 'Delete account' });
  await deletion.getByLabel('Your password').fill('not-the-password');
  await deletion.getByRole('button', { name: 'Delete account' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('You leave Demo Growth.');
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(deletion.getByText('The password is incorrect.')).toBeVisible();
  await deletion.getByLabel('Your password').fill('another-password');
  await deletion.getByRole('button', { name: 'Delete account' }).click();
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(page.getByText('Your account was deleted')).toBeVisible();
  await page.goto('/inbox');
  await page.waitForURL('**/sign-in?next=*');
});

async function openTeammates(page: Page, email: string): Promise<void> {
  await signIn(page, email, '/settings/teammates');
}

async function invite(page: Page, email: string, role: string): Promise<void> {
  const form = page.getByRole('form', { name: 'Invite a teammate' });
  await form.getByLabel('Email').fill(email);
  await form.getByLabel('Role').selectOption({ label: role });
  await form.getByRole('button', { name: 'Invite' }).click();
  await expect(teammate(page, email)).toBeVisible();
  await expect(form.getByLabel('Email')).toBeFocused();
}

/** Joins with an invitation link in a separate browser context, which stays open. */
async function joinAs(openElsewhere: () => Promise<Page>, link: string, name: string): Promise<Page> {
  const page = await openElsewhere();
  await page.goto(link);
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole('button', { name: /^Join / }).click();
  await page.waitForURL('**/inbox');
  return page;
}

function teammate(page: Page, name: string) {
  return page.getByRole('listitem', { name });
}

function member(page: Page, name: string) {
  return page.getByRole('list', { name: /^\d+ teammates?$/ }).getByRole('listitem', { name });
}

function newAddress(name: string) {
  return `${name}.${Date.now()}@example.com`;
}
