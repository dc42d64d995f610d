import { expect } from '@playwright/test';
import { button, thread } from './composer.ts';
import { accountOf, control } from './control-providers.ts';
import { signIn } from './steps.ts';
import { test } from './test.ts';

// WhatsApp accepts only approved templates when the contact last wrote more than 24 hours ago.

test('outside the WhatsApp window, a template is filled in, previewed and sent, until the contact writes again', async ({
  page,
}) => {
  const order = String(Date.now());
  await signIn(page, 'owner@demo.test', '/inbox?status=all&channel=whatsapp');
  await page
    .getByRole('list', { name: 'Conversations' })
    .getByRole('link', { name: /Fatima/ })
    .click();
  const warning = page.getByRole('region', { name: 'Composer' }).getByText('accepts only approved templates');
  await expect(warning).toBeVisible();

  await button(page, 'Template').click();
  const form = page.getByRole('form', { name: 'Send a template' });
  const send = form.getByRole('button', { name: 'Send template' });
  await expect(form).toContainText('Hi {{1}}, there is news about your order {{2}}.');
  await form.getByLabel('Template').selectOption({ label: 'we are back (en_US)' });
  await expect(form).toContainText('We are back');
  await expect(send).toBeEnabled();
  await form.getByLabel('Template').selectOption({ label: 'order update (de)' });
  await form.getByLabel('Value for {{1}}').fill('Fatima');
  await expect(send).toBeDisabled();
  await form.getByLabel('Value for {{2}}').fill(order);
  const text = `Hallo Fatima, es gibt Neues zu Ihrer Bestellung ${order}.`;
  await expect(form).toContainText(text);
  await send.click();
  await expect(form).toBeHidden();
  await expect(thread(page).getByRole('listitem').filter({ hasText: text })).toContainText('Sent');

  type Chat = { key: string; messages: { text: string }[] };
  const account = await accountOf(page, 'whatsapp');
  const chats = await control<Chat[]>(page, 'GET', `/accounts/${account}/chats`);
  const chat = chats.find(({ messages }) => messages.some((message) => message.text.startsWith(text)));
  // The contact's answer opens the window, also for flows that reply to the first conversation of the list.
  await control(page, 'POST', `/accounts/${account}/messages`, { from: chat?.key, text: `Merci ${order}` });
  await expect(thread(page)).toContainText(`Merci ${order}`);
  await expect(warning).toBeHidden();
});
