import { expect, type Page } from '@playwright/test';
import { type Connection, PLATFORM_URL } from './connection.ts';
import { answerWith, connect, resetPlatform } from './steps.ts';
import { test } from './test.ts';

test.beforeEach(({ page }) => resetPlatform(page));

test('a refused event shows the reason and is redelivered manually, and the log updates live', {
  tag: '@journey',
}, async ({ page }) => {
  const name = `Rita Refused ${Date.now()}`;
  await deliver(page, '404', name);

  await page.goto('/settings/integrations');
  const row = rowOf(page, name);
  await expect(row).toContainText('Failed');
  await expect(row).toContainText('Refused (404)');
  await expect(page.getByRole('article', { name: 'Olivia Owen' })).toContainText('1 workflow failing since');

  await row.getByRole('link').click();
  const summary = page.getByText('It was not retried, as the response would be the same.');
  await expect(summary).toContainText('refused the event (404) because it has no workflow at this address');
  const attempts = page.getByRole('region', { name: 'Attempts' });
  await expect(attempts.getByRole('listitem')).toHaveCount(1);
  await expect(attempts).toContainText('This workflow responds with 404.');
  await expect(page.getByText(`"name": "${name}"`)).toBeVisible();

  await answerWith(page, '200');
  await page.getByRole('button', { name: 'Redeliver', exact: true }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('Sends the same event to Workflow Platform again');
  await dialog.getByRole('button', { name: 'Redeliver' }).click();
  await expect(page.getByText('The event is being redelivered')).toBeVisible();

  // No clicks from here on: the page updates live.
  await expect(row).toContainText('Delivered');
  await expect(attempts.getByRole('listitem')).toHaveCount(2);
  await expect(attempts.getByRole('listitem').last()).toContainText('redelivered manually');
  await expect(page.getByRole('article', { name: 'Olivia Owen' })).toContainText('Delivering normally');
  const event = await newestEvent(page);
  expect(event).toMatchObject({ received_count: 2, body_changed: false });
  expect(event.attempts.map(({ answered }: { answered: number }) => answered)).toEqual([404, 200]);
});

test('recent failures are redelivered together after a confirmation with their number', {
  tag: '@journey',
}, async ({ page }) => {
  const names = [1, 2].map((number) => `Fay Faulty ${number} ${Date.now()}`);
  await deliver(page, '500', ...names);

  await page.goto('/settings/integrations');
  for (const name of names) await expect(rowOf(page, name)).toContainText('Failed');
  await rowOf(page, names[0] ?? '')
    .getByRole('link')
    .click();
  await expect(page.getByText('All 5 attempts failed. It will not be retried.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Attempts' }).getByRole('listitem')).toHaveCount(5);

  const filter = page.getByRole('form', { name: 'Filter the event log' });
  await filter.getByLabel('Workflow').selectOption({ index: 1 });
  await filter.getByRole('button', { name: 'Filter' }).click();
  await page.waitForURL(/\?hook=[0-9a-f-]{36}$/);
  await answerWith(page, '200');
  await page.getByRole('button', { name: 'Redeliver 2 failed' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('for this workflow are redelivered, at most 20 a second');
  await dialog.getByRole('button', { name: 'Redeliver all' }).click();
  await expect(page.getByText('2 events will be redelivered')).toBeVisible();
  for (const name of names) await expect(rowOf(page, name)).toContainText('Delivered');
  await expect(page.getByRole('button', { name: /^Redeliver \d+ failed/ })).toBeHidden();
});

test('the log is filtered, and a deleted workflow is removed with a reason and stays in the log', async ({
  page,
}) => {
  const name = `Ada Arrived ${Date.now()}`;
  const connection = await deliver(page, '200', name);
  await test.step('the log is filtered by event, outcome and local time, and the filter is cleared', async () => {
    await page.goto('/settings/integrations');
    await expect(rowOf(page, name)).toContainText('Delivered');

    const filter = page.getByRole('form', { name: 'Filter the event log' });
    await filter.getByLabel('Outcome').selectOption('Failed');
    await filter.getByRole('button', { name: 'Filter' }).click();
    await expect(rowOf(page, name)).toBeHidden();
    await filter.getByLabel('Outcome').selectOption('Delivered');
    await filter.getByLabel('Event').selectOption('New Contact');
    await filter.getByLabel('To').fill('2026-01-01T00:00');
    await filter.getByRole('button', { name: 'Filter' }).click();
    await expect(page.getByText('No events match the filter')).toBeVisible();
    await page.getByRole('link', { name: 'Show all events' }).click();
    await expect(rowOf(page, name)).toContainText('Delivered');
    await expect(filter.getByLabel('Outcome')).toHaveValue('');
    await expect(filter.getByLabel('To')).toHaveValue('');
  });

  await test.step('a deleted workflow is removed with a reason, and its events stay in the log', async () => {
    const gone = `Gwen Gone ${Date.now()}`;
    await answerWith(page, '410');
    await connection.run('create-contact', { name: gone });
    await expect(rowOf(page, gone)).toContainText('Workflow gone (410)');
    const removed = page.getByRole('region', { name: 'Removed workflows' }).getByRole('listitem').first();
    await expect(removed).toContainText('New Contact');
    await expect(removed).toContainText('reported that this workflow is gone (410).');
    await expect(removed).toContainText('Turn the workflow off and on again');
    await expect(page.getByRole('article', { name: 'Olivia Owen' })).toContainText('No workflows turned on');

    await removed.getByRole('link', { name: 'Events' }).click();
    await page.waitForURL(/\?hook=[0-9a-f-]{36}#event-log$/);
    await rowOf(page, gone).getByRole('link').click();
    await expect(
      page.getByText('This event can’t be redelivered because the workflow was removed.'),
    ).toBeVisible();
    await expect(page.getByRole('button', { name: 'Redeliver', exact: true })).toBeHidden();
  });
});

/** Turns on a trigger, sets the platform's response mode and creates contacts. Returns the owner's connection. */
async function deliver(page: Page, response: string, ...names: string[]): Promise<Connection> {
  const connection = await connect(page, 'owner@demo.test');
  await connection.turnOn(['contact.created']);
  await answerWith(page, response);
  for (const name of names) await connection.run('create-contact', { name });
  return connection;
}

/** Returns the newest event received by the platform. */
async function newestEvent(page: Page) {
  const { events } = await (await page.request.get(`${PLATFORM_URL}/api/state`)).json();
  return events[0];
}

function rowOf(page: Page, name: string) {
  return page
    .getByRole('table', { name: 'Events sent to workflows' })
    .getByRole('row')
    .filter({ hasText: name })
    .first();
}
