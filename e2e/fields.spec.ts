import { expect, type Page } from '@playwright/test';
import { expectAccessibleEverywhere } from './accessible.ts';
import { startConversations } from './start-conversations.ts';
import { signIn } from './steps.ts';
import { test } from './test.ts';

test('an admin defines fields, and two teammates fill them in beside the same conversation by keyboard, and filter by them', async ({
  page,
  openElsewhere,
}) => {
  const mark = Date.now();
  const [plan, seats, order] = [`Plan ${mark}`, `Seats ${mark}`, `Order ${mark}`];
  const view = `Orders ${mark}`;
  const { search } = await startConversations(page, 1);
  const agent = await openElsewhere();
  await signIn(agent, 'agent@demo.test', `/inbox?search=${encodeURIComponent(search)}`);
  await agent.locator('[data-conversation]').click();
  const theirs = agent.getByRole('region', { name: 'Details' });
  await expect(theirs.getByRole('button', { name: 'Add tag' })).toBeVisible();

  await test.step('the admin creates a field of each kind, and the open inbox shows them', async () => {
    await signIn(page, 'admin@demo.test', '/settings/fields');
    await createField(page, { subject: 'contact', name: plan, choices: ['Free', 'Pro'] });
    await createField(page, { subject: 'contact', name: seats, type: 'number' });
    await createField(page, { subject: 'conversation', name: order, type: 'text' });
    await expect(theirs.getByRole('button', { name: `Add ${order}` })).toBeVisible();
  });

  await test.step('the agent fills them in by keyboard, and a value of the wrong type says so', async () => {
    const contact = theirs.getByRole('region', { name: 'Contact' });
    await contact.getByRole('button', { name: /empty fields/ }).press('Enter');
    await contact.getByLabel(plan).selectOption('Pro');
    const number = contact.getByLabel(seats);
    await number.fill('many');
    await number.press('Enter');
    await expect(number).toHaveAccessibleDescription(
      `${seats} must be a number such as 1250 or 12.5, with up to 15 digits before the point and 6 after it.`,
    );
    await number.press('Escape');
    await expect(number).toHaveValue('');
    await number.fill('012.50');
    await number.press('Tab');
    await expect(number).toHaveValue('12.5');
    const unfold = theirs.getByRole('button', { name: `Add ${order}` });
    await unfold.press('Enter');
    await theirs.getByLabel(order).fill('A-1');
    await theirs.getByLabel(order).press('Enter');
    await expect(agent.getByText(`set ${order} to A-1`)).toBeVisible();
  });

  await test.step('the admin sees the values without a reload, and changes one', async () => {
    await page.goto(`/inbox?search=${encodeURIComponent(search)}`);
    await page.locator('[data-conversation]').click();
    const details = page.getByRole('region', { name: 'Details' });
    await expect(details.getByLabel(plan)).toHaveValue(/./);
    await expect(details.getByLabel(seats)).toHaveValue('12.5');
    await details.getByLabel(order).fill('A-2');
    await details.getByLabel(order).press('Enter');
    await expect(theirs.getByLabel(order)).toHaveValue('A-2');
    await expect(agent.getByText(`changed ${order} from A-1 to A-2`)).toBeVisible();
    await expectAccessibleEverywhere(page);
  });

  await test.step('the admin filters by two fields, and saves the list as a view', async () => {
    await page.goto('/inbox?status=all');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    const filter = page.getByRole('dialog', { name: 'Filter' });
    await filter.getByLabel('Filter by a field').selectOption(order);
    await filter.getByLabel(order, { exact: true }).selectOption('contains');
    await filter.getByLabel(`${order}: value`).fill('a-2');
    await filter.getByLabel(`${order}: value`).press('Enter');
    await filter.getByLabel('Filter by a field').selectOption(plan);
    await filter.getByRole('checkbox', { name: 'Pro' }).check();
    await expectAccessibleEverywhere(page);
    await filter.getByRole('button', { name: 'Done' }).click();
    await expect(page.locator('[data-conversation]')).toHaveCount(1);
    await expect(page.getByRole('list', { name: 'Filters' })).toContainText(`${order} contains a-2`);
    await expect(page.getByRole('list', { name: 'Filters' })).toContainText(`${plan} is Pro`);
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill(view);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.goto('/inbox');
    await page.getByRole('link', { name: new RegExp(view) }).click();
    await expect(page.locator('[data-conversation]')).toHaveCount(1);
    await page.getByRole('link', { name: `Remove filter: ${plan} is Pro` }).click();
    await expect(page.getByRole('list', { name: 'Filters' })).not.toContainText(plan);
  });

  await test.step('a viewer reads the values', async () => {
    const viewer = await openElsewhere();
    await signIn(viewer, 'viewer@demo.test', `/inbox?search=${encodeURIComponent(search)}`);
    await viewer.locator('[data-conversation]').click();
    const details = viewer.getByRole('region', { name: 'Details' });
    await expect(details.getByRole('definition').filter({ hasText: 'A-2' })).toBeVisible();
    await expect(details.getByLabel(order)).toHaveCount(0);
  });

  await test.step('a removed choice and a deleted field say how many values are lost, and leave the inbox', async () => {
    await page.goto('/settings/fields');
    await page.getByRole('button', { name: `Edit ${plan}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Remove choice 2' }).click();
    await expect(dialog).toContainText('Pro will be removed. 1 contact will lose it.');
    await dialog.getByRole('textbox', { name: 'Choice 1' }).fill('Basic');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('listitem', { name: plan })).toContainText('Choice: Basic');
    await expect(theirs.getByLabel(plan)).toHaveValue('');
    await page.getByRole('button', { name: `Delete the conversation field ${order}` }).click();
    const alert = page.getByRole('alertdialog');
    await expect(alert).toContainText('1 conversation will lose its value.');
    await alert.getByRole('button', { name: 'Delete' }).click();
    await expect(theirs.getByLabel(order)).toHaveCount(0);
    await page.goto('/inbox');
    await page.getByRole('link', { name: new RegExp(view) }).click();
    await expect(page.getByRole('list', { name: 'Filters' })).toContainText('Deleted field');
    await expect(page.locator('[data-conversation]')).toHaveCount(0);
  });
});

test('a choice that another admin adds while the form is open stays, and moving a choice to the top keeps the focus', async ({
  page,
  openElsewhere,
}) => {
  const name = `Level ${Date.now()}`;
  await signIn(page, 'admin@demo.test', '/settings/fields');
  await createField(page, { subject: 'contact', name, choices: ['Low', 'High'] });
  const other = await openElsewhere();
  await signIn(other, 'owner@demo.test', '/settings/fields');
  const form = page.getByRole('dialog');
  await page.getByRole('button', { name: `Edit ${name}` }).click();
  const up = form.getByRole('button', { name: 'Move choice 2 up' });
  await up.press('Enter');
  await expect(form.getByRole('button', { name: 'Move choice 1 up' })).toBeFocused();

  await other.getByRole('button', { name: `Edit ${name}` }).click();
  const otherForm = other.getByRole('dialog');
  await otherForm.getByRole('button', { name: 'Add choice' }).click();
  await otherForm.getByRole('textbox', { name: 'Choice 3' }).fill('Highest');
  await otherForm.getByRole('button', { name: 'Save' }).click();
  const item = page.getByRole('listitem', { name, includeHidden: true });
  await expect(item).toContainText('Low, High, Highest');

  await expect(form).not.toContainText('will be removed');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toHaveCount(0);
  await expect(item).toContainText('High, Low, Highest');
});

type NewField = { subject: 'contact' | 'conversation'; name: string; type?: string; choices?: string[] };

async function createField(
  page: Page,
  { subject, name, type = 'choice', choices = [] }: NewField,
): Promise<void> {
  await page.getByRole('button', { name: `New ${subject} field` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  await dialog.getByLabel('Type').selectOption(type);
  const choiceOf = (number: number) => dialog.getByRole('textbox', { name: `Choice ${number}`, exact: true });
  for (const [at, choice] of choices.entries()) {
    if (at > 0) await choiceOf(at).press('Enter');
    await choiceOf(at + 1).fill(choice);
  }
  await dialog.getByRole('button', { name: 'Create field' }).click();
  await expect(dialog).toHaveCount(0);
  // The first field moves the button.
  await expect(page.getByRole('listitem', { name })).toBeVisible();
}
