import { expect } from '@playwright/test';
import { startConversations } from './start-conversations.ts';
import { signIn } from './steps.ts';
import { test } from './test.ts';

test('an admin creates, colours, renames and merges a tag, which an open inbox follows, and lets agents add no new one', async ({
  page,
  browser,
}) => {
  const names = ['refnud', 'Refund', 'money back'].map((name) => `${name} ${Date.now()}`);
  const [typo = '', tag = '', other = ''] = names;
  const { search } = await startConversations(page, 1);
  await signIn(page, 'admin@demo.test', '/settings/tags');
  for (const name of [typo, other]) {
    await page.getByRole('button', { name: 'New tag' }).click();
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByRole('button', { name: 'Create tag' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }

  const agent = await (await browser.newContext()).newPage();
  await signIn(agent, 'agent@demo.test', `/inbox?search=${encodeURIComponent(search)}`);
  const row = agent.locator('[data-conversation]');
  await row.click();
  const details = agent.getByRole('region', { name: 'Details' });
  const add = async (name: string) => {
    await details.getByRole('button', { name: 'Add tag' }).click();
    await details.getByRole('combobox', { name: 'New tag' }).fill(name);
    await details.getByRole('combobox', { name: 'New tag' }).press('Enter');
  };
  await add(typo);
  await expect(row).toContainText(typo);

  const item = (name: string) => page.getByRole('listitem', { name, exact: true });
  await page.getByRole('searchbox', { name: 'Search tags' }).fill(typo);
  await expect(item(typo)).toContainText('1 conversation');
  await item(typo).getByRole('button', { name: 'Rename' }).click();
  await page.getByLabel('Name', { exact: true }).fill(other);
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveAccessibleDescription(
    /There is already a tag called/,
  );
  await page.getByLabel('Name', { exact: true }).fill(tag);
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await expect(row).toContainText(tag);

  await page.getByRole('searchbox', { name: 'Search tags' }).fill(tag);
  await item(tag).getByRole('button', { name: 'Colour' }).click();
  await page.getByRole('menuitemradio', { name: 'Teal' }).click();
  await expect(row.getByText(tag)).toHaveClass(/tint-4/);

  await item(tag).getByRole('button', { name: 'Merge' }).click();
  await page.getByLabel('Into the tag').fill(other.toUpperCase());
  await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click();
  await expect(row).toContainText(other);
  await expect(details.getByRole('button', { name: `Remove the tag ${other}` })).toBeVisible();

  const limit = page.getByRole('switch', { name: 'Only owners and admins create tags' });
  await limit.click();
  await expect(limit).toHaveAttribute('aria-busy', 'false');
  await expect(limit).toBeChecked();
  await add(`unknown ${tag}`);
  await expect(agent.getByText(/only owners and admins create tags/).first()).toBeVisible();
  await limit.click();
  await expect(page.getByText('Everyone creates tags')).toBeVisible();
  await agent.context().close();
});
