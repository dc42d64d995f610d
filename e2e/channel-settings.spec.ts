import { randomInt } from 'node:crypto';
import { expect } from '@playwright/test';
import { control } from './control-providers.ts';
import { signIn } from './steps.ts';
import { test } from './test.ts';

// An owner connects an account of a channel in Settings > Channels.

test('each account can be told apart, and a connected WhatsApp number has one step left until its webhook was called', async ({
  page,
}) => {
  await test.step('each account can be told apart, and dialogs close with Escape', async () => {
    await signIn(page, 'owner@demo.test', '/settings/channels');
    const tests = page.getByRole('button', { name: /^Test / });
    await expect(tests.first()).toBeVisible();
    const items = page.getByRole('listitem').filter({ has: tests });
    const named: (string | null)[] = [];
    for (const item of await items.all()) {
      const name = await item.getAttribute('aria-label');
      for (const verb of ['Test', 'Disconnect']) {
        await expect(item.getByRole('button', { name: `${verb} ${name}`, exact: true })).toBeVisible();
      }
      named.push(name);
    }
    expect(named.length).toBeGreaterThanOrEqual(4);
    expect(new Set(named).size).toBe(named.length);

    // The webhooks of the demo accounts were called, so their addresses are collapsed.
    const whatsapp = page.getByRole('listitem', { name: 'WhatsApp: Demo Growth' });
    const address = whatsapp.getByText(/\/webhooks\/whatsapp\//);
    await expect(whatsapp).toContainText('Receiving, last message');
    await expect(address).toBeHidden();
    await whatsapp.getByText('Address and verify token').click();
    await expect(address).toBeVisible();

    const disconnect = page.getByRole('button', { name: 'Disconnect Telegram: @demo_growth_bot' });
    await disconnect.press('Enter');
    await expect(page.getByRole('alertdialog')).toContainText('The account’s tokens are deleted.');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    await expect(disconnect).toBeFocused();
  });

  await test.step('a connected WhatsApp number has one step left until its webhook was called', async () => {
    const number = `9${randomInt(10 ** 13, 10 ** 14)}`;
    const account = {
      workspace: null,
      account_id: null,
      channel: 'whatsapp',
      external_id: number,
      name: `Second line ${number}`,
      token: `EAA-${number}`,
      secret: '0'.repeat(32),
      phone: '+44 20 7946 0199',
    };
    await control(page, 'POST', '/accounts', account);
    await page.goto('/settings/channels');
    const open = page.getByRole('region', { name: 'WhatsApp' }).getByRole('button', { name: /^Connect/ });
    await open.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Connect WhatsApp' });
    await expect(dialog.getByLabel('Phone number ID')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(open).toBeFocused();

    await open.press('Enter');
    await dialog.getByLabel('Phone number ID').fill(number);
    await dialog.getByLabel('Access token').fill('EAA-of-nobody');
    await dialog.getByLabel('App secret').fill(account.secret);
    await dialog.getByRole('button', { name: 'Connect' }).click();
    await expect(dialog.getByLabel('Access token')).toHaveAccessibleDescription(/token/i);
    await expect(dialog.getByRole('alert').first()).toBeVisible();
    await expect(dialog.getByLabel('App secret')).toHaveValue(account.secret);
    await dialog.getByLabel('Access token').fill(account.token);
    await dialog.getByRole('button', { name: 'Connect' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByText('Saved. One step left.')).toBeVisible();

    const item = page.getByRole('listitem', { name: `WhatsApp: ${account.name}` });
    await expect(item).toContainText('One step left. Enter the address and the verify token under WhatsApp');
    await page.reload();
    await expect(item).toContainText('One step left.');
    const values = item.locator('dd > span[title]:visible');
    await expect(values).toHaveText([/\/webhooks\/whatsapp\/[0-9a-f-]{36}$/, /./]);
    const [address = '', verifyToken = ''] = await values.allTextContents();
    const heights = await values.evaluateAll((each) => each.map(({ clientHeight }) => clientHeight));
    expect(Math.max(...heights), 'each value is on one line').toBeLessThan(24);

    const verify = (verify_token: string) =>
      control<{ ok: boolean }>(page, 'POST', `/accounts/whatsapp:${number}/address`, {
        address,
        verify_token,
      });
    expect(await verify('another token')).toMatchObject({ ok: false });
    await page.reload();
    await expect(item).toContainText('One step left.');
    expect(await verify(verifyToken)).toMatchObject({ ok: true });
    // Shown without a reload.
    await expect(item).toContainText('Connected, no message yet');
    await expect(item).not.toContainText('One step left.');
    await item.getByText('Address and verify token').click();
    await expect(values).toHaveCount(0);

    await item.getByRole('button', { name: /^Disconnect / }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click();
    await expect(item).toHaveCount(0);
  });
});
