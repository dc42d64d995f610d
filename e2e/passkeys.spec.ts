import { expect } from '@playwright/test';
import { expectAccessibleEverywhere } from './accessible.ts';
import { joinDemo } from './join.ts';
import { listMailsTo } from './mails.ts';
import { DEMO_PASSWORD } from './steps.ts';
import { test } from './test.ts';
import { addAuthenticator, addPasskey } from './virtual-authenticator.ts';

test('a teammate adds a passkey, signs in with it and with the password, and removes it', {
  tag: '@journey',
}, async ({ page, openElsewhere }) => {
  const theirs = await openElsewhere();
  const email = await joinDemo(page, theirs, { name: 'Paula Park' });
  const removeAuthenticator = await addAuthenticator(theirs);
  const dialog = theirs.getByRole('dialog');
  const passkeys = theirs.getByRole('list', { name: 'Passkeys' });

  await test.step('adds a passkey and stores the recovery codes', async () => {
    await theirs.goto('/settings/account');
    await theirs.getByRole('button', { name: 'Add passkey' }).click();
    await expectAccessibleEverywhere(theirs);
    await theirs.keyboard.press('Escape');
    await addPasskey(theirs, 'Laptop');
    await expect(dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10);
    await dialog.getByRole('button', { name: 'I have stored them' }).click();
    await expect(passkeys.getByRole('listitem')).toContainText('Laptop');
    await expect(theirs.getByText('On with your passkeys. 10 recovery codes left')).toBeVisible();
    await expectAccessibleEverywhere(theirs);
    // The device has a passkey of this account already.
    await addPasskey(theirs, 'Again');
    await expect(dialog.getByText('already has a passkey of your account')).toBeVisible();
    await theirs.keyboard.press('Escape');
  });

  await test.step('signs in with it, without a second step', async () => {
    await theirs.context().clearCookies();
    await theirs.goto('/sign-in?next=/settings/account');
    await expectAccessibleEverywhere(theirs);
    await theirs.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await theirs.waitForURL('**/settings/account');
    await expect(passkeys.getByRole('listitem')).toContainText('Last used just now');
  });

  await test.step('is asked for it after the password', async () => {
    await theirs.context().clearCookies();
    await theirs.goto('/sign-in?next=/settings/account');
    await theirs.getByLabel('Email').fill(email);
    await theirs.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
    await theirs.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(theirs.getByRole('heading', { name: 'Use your passkey' })).toBeVisible();
    await expectAccessibleEverywhere(theirs);
    await theirs.getByRole('button', { name: 'Use a passkey' }).click();
    await theirs.waitForURL('**/settings/account');
  });

  await test.step('removes it, and gets emails about both changes', async () => {
    await theirs.getByRole('button', { name: 'Remove Laptop' }).click();
    await dialog.getByLabel('Your password').fill(DEMO_PASSWORD);
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await expect(passkeys).toBeHidden();
    await expect(theirs.getByRole('button', { name: 'Set up' })).toBeVisible();
    await expect
      .poll(async () => (await listMailsTo(email)).map(({ subject }) => subject))
      .toEqual(
        expect.arrayContaining([
          'A passkey was added to your account',
          'A passkey was removed from your account',
        ]),
      );
  });
  await removeAuthenticator();
});
