import { expect, type Page } from '@playwright/test';
import { box, button, thread } from './composer.ts';
import { control } from './control-providers.ts';
import { sentMailTo } from './mails.ts';
import { startConversation } from './start-conversation.ts';
import { goWithin, signIn } from './steps.ts';
import { test } from './test.ts';

// A workspace with two mailboxes: teammates choose the sender of their email, and forward what they receive.

const [SUPPORT, BILLING] = ['support@growth.demo.test', 'billing@growth.demo.test'];

test('email is sent from the chosen mailbox, which replies and new conversations of the contact offer first', async ({
  page,
}) => {
  const stamp = Date.now();
  const address = `iris.${stamp}@contacts.example`;
  await signIn(page, 'owner@demo.test', '/inbox');
  await startConversation(page, address, `Invoice ${stamp}`, async (form) => {
    await expectFrom(page, SUPPORT);
    await form.getByLabel('From').selectOption(BILLING);
  });
  expect((await sentMailTo(address)).from).toMatchObject({ address: BILLING });

  await expectFrom(page, BILLING);
  await goWithin(page, `/inbox?new=${encodeURIComponent(address)}`);
  await expect(page.getByRole('form', { name: 'New conversation' })).toBeVisible();
  await expectFrom(page, BILLING);
  await page.keyboard.press('Escape');

  await page
    .getByRole('list', { name: 'Conversations' })
    .getByRole('link', { name: `Invoice ${stamp}` })
    .click();
  await expectFrom(page, BILLING);
  await page.getByLabel('From', { exact: true }).selectOption(SUPPORT);
  await box(page, 'Reply').fill(`Your parcel has left ${stamp}`);
  await page.keyboard.press('Control+Enter');
  expect((await sentMailTo(address, 1)).from).toMatchObject({ address: SUPPORT });
});

test('a message is forwarded with its files, and the thread shows to whom', { tag: '@journey' }, async ({
  page,
}) => {
  const stamp = Date.now();
  const [address, third] = [`jonas.${stamp}@contacts.example`, `carrier.${stamp}@contacts.example`];
  await signIn(page, 'owner@demo.test', '/inbox');
  const file = (name: string, text: string) => ({
    name,
    type: 'text/plain',
    base64: Buffer.from(text).toString('base64'),
  });
  await control(page, 'POST', '/mails', {
    from: { name: 'Jonas Juhl', address },
    to: SUPPORT,
    subject: `Damaged ${stamp}`,
    text: `The crate is broken ${stamp}`,
    files: [file('crate.txt', 'A broken crate'), file('label.txt', 'A torn label')],
  });
  await page
    .getByRole('list', { name: 'Conversations' })
    .getByRole('link', { name: `Damaged ${stamp}` })
    .click();
  await button(page, 'Forward Jonas Juhl’s message').click();
  const dialog = page.getByRole('dialog', { name: 'Forward message' });
  await expect(dialog).toContainText('The contact won’t see it.');
  await dialog.getByLabel('To', { exact: true }).fill('nobody');
  await page.keyboard.press('Control+Enter');
  await expect(dialog.getByLabel('To', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByLabel('To', { exact: true }).fill(third);
  await dialog.getByLabel('Message (optional)').fill('Please collect this one.');
  await page.keyboard.press('Control+Enter');
  await expect(dialog).toBeHidden();
  await expect(thread(page)).toContainText(`Forwarded to ${third} with 2 files`);
  const mail = await sentMailTo(third);
  expect(mail.from).toMatchObject({ address: SUPPORT });
  expect(mail.files.map(({ name }) => name)).toEqual(['crate.txt', 'label.txt']);
  for (const text of ['Please collect this one.', `The crate is broken ${stamp}`])
    expect(mail.text).toContain(text);
});

/** Expects a mailbox to be chosen in the field From. */
async function expectFrom(page: Page, address: string): Promise<void> {
  await expect(page.getByLabel('From', { exact: true }).locator('option:checked')).toHaveText(address);
}
