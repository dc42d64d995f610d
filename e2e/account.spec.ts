import { expect, type Page } from '@playwright/test';
import { expectAccessibleEverywhere } from './accessible.ts';
import { joinDemo } from './join.ts';
import { linkTo } from './mails.ts';
import { DEMO_PASSWORD, openSession } from './steps.ts';
import { test } from './test.ts';

test('a teammate signs out one other browser, then all others', async ({ page, openElsewhere }) => {
  const [theirs, phone, laptop] = [await openElsewhere(), await openElsewhere(), await openElsewhere()];
  const email = await joinDemo(page, theirs, { name: 'Sara Stone' });
  const sessions = theirs.getByRole('list', { name: 'Where you’re signed in' }).getByRole('listitem');

  await test.step('ends the session of one browser, which is signed out', async () => {
    await openSession(phone, email);
    await phone.goto('/inbox');
    await expect(phone.getByRole('heading', { name: 'Inbox' })).toBeVisible();
    await theirs.goto('/settings/account');
    await expect(sessions).toHaveCount(2);
    await expect(sessions.filter({ hasText: 'This device' })).toContainText('In use now');
    const other = sessions.filter({ hasNotText: 'This device' });
    await expect(other).toContainText(/^Chrome on Linux.*Last used .*\u00A0· Signed in just now/);
    await other.getByRole('button', { name: /^Sign out Chrome on Linux/ }).click();
    await expect(theirs.getByText('Browser signed out')).toBeVisible();
    await expect(sessions).toHaveCount(1);
    // The open page leaves by itself.
    await phone.waitForURL('**/sign-in?**');
  });

  await test.step('ends all other sessions', async () => {
    for (const other of [phone, laptop]) await openSession(other, email);
    await theirs.reload();
    await expect(sessions).toHaveCount(3);
    await theirs.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await theirs.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
    await expect(sessions).toHaveCount(1);
    for (const other of [phone, laptop]) await expectSignedOut(other);
    await theirs.reload();
    await expect(sessions).toHaveCount(1);
  });
});

test('a teammate changes their address with the link sent to the new one, and undoes it with that of the old one, also without scripts', async ({
  page,
  browser,
  openElsewhere,
}) => {
  const [theirs, mailbox] = [await openElsewhere(), await openElsewhere()];
  const email = await joinDemo(page, theirs, { name: 'Nadia North' });
  const newEmail = `new.${email}`;

  await test.step('both addresses get a link', async () => {
    await theirs.goto('/settings/account');
    const section = theirs.getByRole('region', { name: 'Email', exact: true });
    await section.getByLabel('New email').fill(newEmail);
    await section.getByLabel('Your password').fill('not-the-password');
    await section.getByRole('button', { name: 'Send link' }).click();
    await expect(section.getByText('The password is incorrect.')).toBeVisible();
    await section.getByLabel('Your password').fill(DEMO_PASSWORD);
    await section.getByRole('button', { name: 'Send link' }).click();
    await expect(section.getByText(`We’ve sent a link to ${newEmail}`)).toBeVisible();
  });
  const undo = await linkTo('/address', email);

  await test.step('the link of the new address changes it', async () => {
    await mailbox.goto(await linkTo('/address', newEmail));
    await expectAccessibleEverywhere(mailbox);
    await mailbox.getByRole('button', { name: 'Confirm address' }).click();
    await expect(mailbox.getByText(`Your address is ${newEmail} now.`)).toBeVisible();
    await theirs.reload();
    await expect(theirs.getByText(`You sign in with ${newEmail}.`)).toBeVisible();
  });

  await test.step('the link of the old address undoes it and signs everyone out', async () => {
    const plain = await browser.newPage({ javaScriptEnabled: false });
    await plain.goto(undo);
    await plain.getByRole('button', { name: 'Undo the change' }).click();
    await expect(plain.getByText(`Your address is ${email} again`)).toBeVisible();
    await plain.goto(undo);
    await expect(plain.getByText('This link is no longer valid')).toBeVisible();
    await plain.close();
    await expectSignedOut(theirs);
  });
});

async function expectSignedOut(page: Page): Promise<void> {
  await page.goto('/settings/account');
  await page.waitForURL('**/sign-in?**');
}
