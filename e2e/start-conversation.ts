import { expect, type Locator, type Page } from '@playwright/test';

/**
 * Starts an email conversation with Nora Newcomer from the inbox and returns its subject once it is open. `add` completes
 * the form.
 */
export async function startConversation(
  page: Page,
  email: string,
  subject: string,
  add: (form: Locator) => Promise<void> = async () => {},
): Promise<string> {
  await page.getByRole('button', { name: 'New conversation' }).click();
  const form = page.getByRole('form', { name: 'New conversation' });
  await form.getByLabel('To', { exact: true }).fill(email);
  await form.getByLabel('Name').fill('Nora Newcomer');
  await form.getByLabel('Subject').fill(subject);
  await form.getByLabel('Message').fill('Your order is on its way.');
  await add(form);
  await form.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByRole('heading', { name: subject, level: 2 })).toBeVisible();
  return subject;
}
