import { expect, type Locator, type Page } from '@playwright/test';
import { startConversation } from './start-conversation.ts';
import { signIn } from './steps.ts';
import { test } from './test.ts';

test('automations of an owner follow what an agent does, say why in the thread, and stop when they undo each other', {
  tag: '@journey',
}, async ({ page, openElsewhere }) => {
  test.slow();
  const tag = `Rule${Date.now()}`;
  await signIn(page, 'owner@demo.test', '/settings/flows');
  await create(page, `First ${tag}`, async (form) => {
    await form.getByLabel('Trigger').selectOption('A tag is added');
    await form.getByLabel('One of these tags', { exact: true }).fill(tag);
    await form.getByLabel('Set priority').selectOption('Urgent');
  });
  await create(page, `Open ${tag}`, (form) => onStatus(form, { to: 'Pending', tag, set: 'Open' }));
  await create(page, `Park ${tag}`, (form) => onStatus(form, { to: 'Open', tag, set: 'Pending' }));
  await create(page, `Tidy ${tag}`, async (form) => {
    await form.getByLabel('Trigger').selectOption('A status lasts for some time');
    await form.getByLabel('For', { exact: true }).fill('none');
    await form.getByLabel('Set status').selectOption('Closed');
    await form.getByRole('button', { name: 'Create automation' }).click();
    await expect(form.getByLabel('For', { exact: true })).toHaveAccessibleDescription(/at least 1 hour/);
    await form.getByLabel('For', { exact: true }).fill('3');
    await form.getByLabel('Having one of these tags').fill(tag);
  });
  await expect(item(page, `Tidy ${tag}`)).toContainText(
    `When a conversation has been pending for 3 days, if it has the tag “${tag}”: set its status to closed.`,
  );

  const agent = await openElsewhere();
  await signIn(agent, 'agent@demo.test');
  await startConversation(agent, `rules.${Date.now()}@example.com`, tag);
  const details = agent.getByRole('region', { name: 'Details' });
  const thread = agent.getByRole('region', { name: 'Messages' });
  await details.getByRole('button', { name: 'Add tag' }).click();
  await details.getByLabel('New tag').fill(tag);
  await details.getByLabel('New tag').press('Enter');
  await expect(thread).toContainText(
    `The automation “First ${tag}” changed the priority from normal to urgent because it was tagged ${tag}`,
  );
  await expect(details.getByLabel('Priority')).toHaveValue('urgent');
  await agent.getByRole('button', { name: 'Status: Open' }).click();
  await agent.getByRole('menuitemradio', { name: 'Pending' }).click();
  await expect(thread).toContainText(
    `The automation “Open ${tag}” changed the status from pending to open because its status changed to pending`,
  );
  await expect(thread).toContainText(
    `The automation “Open ${tag}” stopped, because its own change would have started it again`,
  );

  await page.reload();
  await expect(item(page, `First ${tag}`)).toContainText('Last ran');
  await item(page, `First ${tag}`)
    .getByRole('button', { name: `Edit First ${tag}` })
    .click();
  await expect(page.getByRole('dialog').getByLabel('Trigger')).toHaveValue('tagged');
  await page.getByRole('dialog').getByLabel('Name').fill(`Renamed ${tag}`);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(item(page, `Renamed ${tag}`)).toBeVisible();
  for (const name of ['Renamed', 'Open', 'Park', 'Tidy']) await remove(page, `${name} ${tag}`);
  await agent.reload();
  await expect(thread).toContainText(`The automation “First ${tag}” changed the priority`);
});

async function create(page: Page, name: string, fill: (form: Locator) => Promise<void>): Promise<void> {
  await page.getByRole('button', { name: 'New automation' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').fill(name);
  await fill(form);
  await form.getByRole('button', { name: 'Create automation' }).click();
  await expect(item(page, name)).toBeVisible();
}

async function onStatus(form: Locator, { to, tag, set }: { to: string; tag: string; set: string }) {
  await form.getByLabel('Trigger').selectOption('The status changes');
  await form.getByLabel('To', { exact: true }).selectOption(to);
  await form.getByLabel('Having one of these tags').fill(tag);
  await form.getByLabel('Set status').selectOption(set);
}

async function remove(page: Page, name: string): Promise<void> {
  await item(page, name)
    .getByRole('button', { name: `Delete ${name}` })
    .click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(item(page, name)).toHaveCount(0);
}

function item(page: Page, name: string) {
  return page.getByRole('listitem', { name });
}
