import { base32 } from '@better-auth/utils/base32';
import { createOTP } from '@better-auth/utils/otp';
import { expect, type Page } from '@playwright/test';
import { expectAccessibleEverywhere } from './accessible.ts';
import { refresh } from './hold-refresh.ts';
import { joinDemo } from './join.ts';
import { DEMO_PASSWORD, signIn } from './steps.ts';
import { test } from './test.ts';

test('a teammate sets up a second factor, signs in with a code and a recovery code, and turns it off', {
  tag: '@journey',
}, async ({ page, browser, openElsewhere }) => {
  const [theirs, phone] = [await openElsewhere(), await openElsewhere()];
  const email = await joinDemo(page, theirs, { name: 'Grace Green' });

  await theirs.goto('/settings/account');
  await theirs.getByRole('button', { name: 'Set up' }).click();
  const dialog = theirs.getByRole('dialog');
  await dialog.getByLabel('Your password').fill(DEMO_PASSWORD);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByRole('img', { name: 'QR code of the key' })).toBeVisible();
  await expectAccessibleEverywhere(theirs);
  const key = (await dialog.locator('code').textContent())?.replaceAll(' ', '') ?? '';
  const otp = createOTP(Uint8Array.from(base32.decode(key)).buffer);
  await dialog.getByLabel('Code that the app shows').fill('000000');
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await expect(dialog.getByText('The code is incorrect')).toBeVisible();
  const used = await otp.totp();
  await dialog.getByLabel('Code that the app shows').fill(used);
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  const codes = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  await expectAccessibleEverywhere(theirs);
  // What the page shows follows a refresh, and the codes stay.
  await signIn(phone, email);
  await theirs.evaluate(refresh);
  await expect(theirs.locator('[aria-labelledby="sessions"] > li')).toHaveCount(2);
  await expect(codes).toHaveCount(10);
  const [first = ''] = await codes.allTextContents();
  await dialog.getByRole('button', { name: 'I have stored them' }).click();
  await expect(theirs.getByText('On. 10 recovery codes left')).toBeVisible();

  await theirs.context().clearCookies();
  await theirs.goto('/settings/account');
  await passFirstStep(theirs, email);
  await expectAccessibleEverywhere(theirs);
  // The code that turned it on was used.
  await enter(theirs, used);
  await expect(theirs.getByText('The code is incorrect or was used before')).toBeVisible();
  await theirs.goto('/inbox');
  await expect(theirs.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  await theirs.goto('/settings/account');
  await theirs.getByLabel('Don’t ask again').check();
  await enter(theirs, first);
  await theirs.waitForURL('**/settings/account');
  await expect(theirs.getByText('On. 9 recovery codes left')).toBeVisible();

  await test.step('without JavaScript, the second step can be left', async () => {
    const plain = await browser.newPage({ javaScriptEnabled: false });
    await plain.goto('/sign-in');
    await passFirstStep(plain, email);
    await plain.getByRole('button', { name: 'Sign out' }).click();
    await expect(plain.getByRole('heading', { name: /^Sign in to/ })).toBeVisible();
    await plain.close();
  });

  await theirs.getByRole('button', { name: 'Turn off' }).click();
  await dialog.getByLabel('Your password').fill(DEMO_PASSWORD);
  await dialog.getByRole('button', { name: 'Turn off' }).click();
  await expect(theirs.getByRole('button', { name: 'Set up' })).toBeVisible();
});

async function passFirstStep(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
}

async function enter(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code', { exact: true }).fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
}
