import { expect, type Locator, type Page } from '@playwright/test';
import { expectAccessible, expectAccessibleEverywhere } from './accessible.ts';
import { inbox } from './bulk.ts';
import { control } from './control-providers.ts';
import { connect, goWithin, resetPlatform, signIn } from './steps.ts';
import { test } from './test.ts';

// axe inspects the dialogs and panels of an owner: in light mode with `npm test`, in all appearances with
// `npm test -- --all`. Each opens by keyboard, closes with Escape, and returns the focus to its button.

type Opened = {
  /** Presses a key, or the button that gets the focus back. */
  open: string | Locator;
  /** Fills in a part of the dialog, so that it shows more. */
  fill?: () => Promise<unknown>;
  dialog: Locator;
};

test.beforeEach(({ page }) => resetPlatform(page));

test('the dialogs of the inbox pass axe, and Escape closes them', { tag: '@journey' }, async ({ page }) => {
  const subject = `Dialogs ${Date.now()}`;
  await signIn(page, 'owner@demo.test', '/inbox?status=all&priority=normal');
  await writeTwice(page, subject);
  await page.getByRole('list', { name: 'Conversations' }).getByRole('link', { name: subject }).last().click();
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText('The crate is broken');
  const { button, dialog, alert } = locators(page);
  const form = page.getByRole('form', { name: 'New conversation' });
  const status = button(/^Status: /);
  const find = () => dialog('Merge into another conversation').getByLabel('Find the conversation');

  await inspect(page, { open: 'Control+k', dialog: dialog('Command menu') });
  await inspect(page, { open: '?', dialog: dialog('Keyboard shortcuts') });
  const send = () => form.getByRole('button', { name: 'Send' }).click();
  await inspect(page, { open: 'c', fill: send, dialog: form });
  await inspect(page, { open: button('Filter, 1 active'), dialog: dialog('Filter') });
  await inspect(page, { open: button('Save view'), dialog: dialog('Save view') });
  await inspect(page, { open: button('Snooze'), dialog: dialog('Snooze') });
  await inspect(page, {
    open: button('Merge into another conversation'),
    fill: () => find().fill(subject),
    dialog: dialog('Merge into another conversation'),
  });
  await inspect(page, { open: button('Delete conversation'), dialog: alert });
  await inspect(page, {
    open: status,
    fill: () => page.getByRole('menuitemradio', { name: 'Closed' }).press('Enter'),
    dialog: alert,
  });
  await inspect(page, {
    open: button(/^Forward .*’s message$/).first(),
    dialog: dialog('Forward message'),
  });
  await inspect(page, { open: button('Run command'), dialog: dialog('Run a command') });
  await inspect(page, {
    open: button(/^Notifications/).locator('visible=true'),
    dialog: dialog('Notifications'),
  });

  await page.getByRole('tab', { name: 'Note' }).click();
  await page.getByRole('textbox', { name: 'Note', exact: true }).fill('@');
  await expect(page.getByRole('listbox', { name: 'Teammates' })).toBeVisible();
  await expectAccessibleEverywhere(page);
  await page.getByRole('textbox', { name: 'Note', exact: true }).fill('');

  const { bar, boxes, button: ofBar } = inbox(page);
  const selectTwo = async () => {
    for (const index of [0, 1]) await boxes.nth(index).check();
    await expect(bar).toContainText('2 selected');
  };
  for (const name of ['Tag selected', 'Snooze selected', 'Assign selected to a teammate or team']) {
    await selectTwo();
    await ofBar(name).press('Enter');
    await expectAccessibleEverywhere(page);
    // Escape closes the panel, or clears the selection.
    await page.keyboard.press('Escape');
  }
  await selectTwo();
  await page.keyboard.press('m');
  await expect(dialog('Merge 2 conversations')).toBeVisible();
  await expectAccessibleEverywhere(page);
});

test('the details of a conversation are a sheet on a phone and pass axe', async ({ page }) => {
  await signIn(page, 'owner@demo.test', '/inbox?status=all');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator('[data-conversation]').first().click();
  await page.getByRole('button', { name: 'Details' }).click();
  await expect(page.getByRole('dialog', { name: 'Details' }).getByRole('heading').first()).toBeVisible();
  await expectAccessible(page);
});

test('the dialogs of the settings pass axe, and Escape closes them', { tag: '@journey' }, async ({
  page,
}) => {
  const connection = await connect(page, 'owner@demo.test');
  await connection.turnOn(['contact.created']);
  const name = `Dee Delivered ${Date.now()}`;
  await connection.run('create-contact', { name });
  const { button, dialog, alert } = locators(page);
  const submit = (label: string) => () =>
    page.getByRole('dialog').getByRole('button', { name: label }).click();

  await page.goto('/settings/teammates');
  // While the page streams in, its parts exist twice, once hidden.
  await page.getByText('What each role can do').filter({ visible: true }).click();
  const agent = page.getByRole('listitem', { name: 'Arjun Mehta' });
  await inspect(page, { open: agent.getByRole('button', { name: 'Remove' }), dialog: alert });
  await inspect(page, {
    open: agent.getByRole('button', { name: 'Role of Arjun Mehta' }),
    fill: () => page.getByRole('menuitemradio', { name: 'Viewer' }).press('Enter'),
    dialog: alert.filter({ hasText: 'Viewers can’t be assigned conversations.' }),
  });
  await goWithin(page, '/settings/teams');
  await inspect(page, { open: button('New team'), fill: submit('Create team'), dialog: dialog() });
  await inspect(page, { open: button('Delete Billing'), dialog: alert });
  await inspect(page, {
    open: button('Assignment of Billing'),
    fill: async () => {
      await page.getByLabel('Assign conversations automatically').selectOption('least_busy');
      await page.getByLabel('Maximum open conversations').fill('many');
      await submit('Save')();
    },
    dialog: dialog('Assignment in Billing'),
  });
  await goWithin(page, '/settings/fields');
  await inspect(page, {
    open: button('New contact field'),
    fill: async () => {
      await page.getByRole('dialog').getByLabel('Type').selectOption('choice');
      await submit('Create field')();
    },
    dialog: dialog('New contact field'),
  });
  await goWithin(page, '/settings/saved-replies');
  await inspect(page, {
    open: button('Add saved reply').first(),
    fill: submit('Add saved reply'),
    dialog: dialog('Add saved reply'),
  });
  await goWithin(page, '/settings/ai-agent');
  await inspect(page, { open: button('Add answer').first(), fill: submit('Add answer'), dialog: dialog() });
  await goWithin(page, '/settings/flows');
  await inspect(page, {
    open: button('New automation').first(),
    fill: submit('Create automation'),
    dialog: dialog(),
  });
  await goWithin(page, '/settings/channels');
  const whatsapp = page.getByRole('region', { name: 'WhatsApp' });
  await inspect(page, {
    open: whatsapp.getByRole('button', { name: /^Connect/ }),
    fill: submit('Connect'),
    dialog: dialog('Connect WhatsApp'),
  });
  await inspect(page, { open: button('Disconnect Telegram: @demo_growth_bot'), dialog: alert });
  await goWithin(page, '/settings/plan');
  await inspect(page, { open: button('Change to Starter'), dialog: alert });
  await goWithin(page, '/settings/workspace');
  await inspect(page, { open: button('Delete workspace'), dialog: alert });
  await goWithin(page, '/settings/integrations');
  await inspect(page, { open: button(/^Disconnect/).first(), dialog: alert });
  await page
    .getByRole('table', { name: 'Events sent to workflows' })
    .getByRole('row')
    .filter({ hasText: name })
    .getByRole('link')
    .click();
  await expect(page.getByRole('region', { name: 'Attempts' })).toBeVisible();
  await expectAccessibleEverywhere(page);
});

test('the erasure of a contact is confirmed by its name and stopped on its page, and its dialog passes axe', async ({
  page,
}) => {
  const connection = await connect(page, 'owner@demo.test');
  const name = `Ed.Erased.${Date.now()}.of.a.department.with.a.long.name`;
  await connection.run('create-contact', { name });
  await page.goto(`/contacts?${new URLSearchParams({ search: name })}`);
  await page.getByRole('link', { name }).click();
  const { button, alert } = locators(page);
  const counted = () => expect(alert.getByText('Names in the audit log')).toBeVisible();
  await inspect(page, { open: button('Erase contact…'), fill: counted, dialog: alert });
  await page.setViewportSize({ width: 390, height: 844 });
  await button('Erase contact…').click();
  await counted();
  expect(await alert.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  const confirm = alert.getByRole('button', { name: 'Erase in 24 hours' });
  await confirm.click();
  await expect(alert).toContainText('Type the name exactly as it is written');
  await alert.getByRole('textbox').fill(name);
  await confirm.click();
  await expect(page.getByText(/This contact and its data will be erased after/)).toBeVisible();
  const heading = page.getByRole('heading', { name, level: 1 });
  await expect(heading).toBeFocused();
  await expectAccessibleEverywhere(page);
  await button('Stop erasing').press('Enter');
  await expect(button('Erase contact…')).toBeVisible();
  await expect(heading).toBeFocused();
});

/** Opens a dialog, inspects it and closes it with Escape. */
async function inspect(page: Page, { open, fill, dialog }: Opened): Promise<void> {
  await test.step(typeof open === 'string' ? `the key ${open}` : `${open}`, async () => {
    await (typeof open === 'string' ? page.keyboard.press(open) : open.press('Enter'));
    await fill?.();
    await expect(dialog).toBeVisible();
    await expectAccessibleEverywhere(page);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    // A closing dialog returns the focus late, and would take it from the next button.
    if (typeof open !== 'string') await expect(open).toBeFocused();
    else await page.waitForFunction(() => document.activeElement !== document.body);
  });
}

/** Lets a contact write twice, so that the second conversation can be merged into the first one. */
async function writeTwice(page: Page, subject: string): Promise<void> {
  const row = page.getByRole('list', { name: 'Conversations' }).getByRole('link', { name: subject });
  const stamp = Date.now();
  for (const number of [1, 2]) {
    const from = { name: 'Jonas Juhl', address: `jonas.${stamp}@contacts.example` };
    const mail = { subject: `${subject} ${number}`, text: `The crate is broken ${number}`, files: [] };
    await control(page, 'POST', '/mails', { from, to: 'support@growth.demo.test', ...mail });
    await expect(row).toHaveCount(number);
  }
}

function locators(page: Page) {
  return {
    button: (name: string | RegExp) =>
      page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name }),
    dialog: (name?: string) => page.getByRole('dialog', name === undefined ? {} : { name }),
    alert: page.getByRole('alertdialog'),
  };
}
