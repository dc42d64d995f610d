import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { connect, PLATFORM_URL, resetPlatform } from './steps.ts';

test.beforeEach(({ page }) => resetPlatform(page));

/** Turns a trigger on at the stand-in platform, which connects first if it has to, and says how it answers. */
async function turnOn(page: Page, trigger: string, answer: string): Promise<void> {
  const region = page.getByRole('region', { name: trigger });
  await region.getByRole('button', { name: 'Turn on' }).click();
  await region.getByLabel('Answer with').selectOption(answer);
}

/** Creates a contact through the platform; the event is named after it. */
async function createContact(page: Page, name: string): Promise<void> {
  const form = page.getByRole('form', { name: 'Create Contact' });
  await form.getByLabel('Name').fill(name);
  await form.getByRole('button', { name: 'Run' }).click();
  await expect(form.getByRole('status')).toContainText('201 Created');
}

/** The platform answers 200 from now on, while another page is looked at. */
async function mend(page: Page): Promise<void> {
  const { subscriptions } = await (await page.request.get(`${PLATFORM_URL}/api/state`)).json();
  for (const { key } of subscriptions) {
    const answer = await page.request.patch(`${PLATFORM_URL}/api/subscriptions/${key}`, {
      headers: { origin: PLATFORM_URL },
      data: { answer_mode: '200' },
    });
    expect(answer.ok()).toBe(true);
  }
}

/** What came to the platform for the newest event. */
async function newestEvent(page: Page) {
  const { events } = await (await page.request.get(`${PLATFORM_URL}/api/state`)).json();
  return events[0];
}

const rowOf = (page: Page, name: string) =>
  page
    .getByRole('table', { name: 'Events sent to workflows' })
    .getByRole('row')
    .filter({ hasText: name })
    .first();

test('an event that was refused says why, is sent again manually, and the log refreshes automatically', async ({
  page,
}) => {
  await connect(page, 'owner@demo.test');
  await turnOn(page, 'New Contact', '404');
  const name = `Rita Refused ${Date.now()}`;
  await createContact(page, name);

  await page.goto('/settings/integrations');
  const row = rowOf(page, name);
  await expect(row).toContainText('Failed');
  await expect(row).toContainText('Refused (404)');
  await expect(page.getByRole('article', { name: 'Olivia Owen' })).toContainText('1 workflow failing since');

  await row.getByRole('link').click();
  const summary = page.getByText('It was not retried, as the response would be the same.');
  await expect(summary).toContainText('refused the event (404) because it knows no workflow at this address');
  const attempts = page.getByRole('region', { name: 'Attempts' });
  await expect(attempts.getByRole('listitem')).toHaveCount(1);
  await expect(attempts).toContainText('This workflow answers 404.');
  await expect(page.getByText(`"name": "${name}"`)).toBeVisible();
  await expectAccessible(page);

  await mend(page);
  await page.getByRole('button', { name: 'Redeliver', exact: true }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('runs again with the same event');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Redeliver' }).click();
  await expect(page.getByText('The event is being sent again')).toBeVisible();

  // Nothing is clicked from here on: the page is notified.
  await expect(row).toContainText('Delivered');
  await expect(attempts.getByRole('listitem')).toHaveCount(2);
  await expect(attempts.getByRole('listitem').last()).toContainText('sent again manually');
  await expect(page.getByRole('article', { name: 'Olivia Owen' })).toContainText('Delivering normally');
  const event = await newestEvent(page);
  expect(event).toMatchObject({ received_count: 2, body_changed: false });
  expect(event.attempts.map(({ answered }: { answered: number }) => answered)).toEqual([404, 200]);
});

test('what failed lately is sent again at once, after saying how much that is', async ({ page }) => {
  await connect(page, 'owner@demo.test');
  await turnOn(page, 'New Contact', '500');
  const names = [1, 2].map((number) => `Fay Faulty ${number} ${Date.now()}`);
  for (const name of names) await createContact(page, name);

  await page.goto('/settings/integrations');
  for (const name of names) await expect(rowOf(page, name)).toContainText('Failed', { timeout: 20_000 });
  await rowOf(page, names[0] ?? '')
    .getByRole('link')
    .click();
  await expect(page.getByText('All 5 attempts failed. It will not be retried.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Attempts' }).getByRole('listitem')).toHaveCount(5);

  const filter = page.getByRole('form', { name: 'Filter the event log' });
  await filter.getByLabel('Workflow').selectOption({ index: 1 });
  await filter.getByRole('button', { name: 'Filter' }).click();
  await page.waitForURL(/\?hook=[0-9a-f-]{36}$/);
  await mend(page);
  await page.getByRole('button', { name: 'Redeliver 2 failed' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('for this workflow are sent again, 20 a second at most');
  await dialog.getByRole('button', { name: 'Redeliver all' }).click();
  await expect(page.getByText('2 events will be sent again')).toBeVisible();
  for (const name of names) await expect(rowOf(page, name)).toContainText('Delivered');
  await expect(page.getByRole('button', { name: /^Redeliver \d+ failed/ })).toBeHidden();
});

test('a workflow that is gone is removed, and the page says why while its events stay', async ({ page }) => {
  await connect(page, 'owner@demo.test');
  await turnOn(page, 'New Contact', '410');
  const name = `Gwen Gone ${Date.now()}`;
  await createContact(page, name);

  await page.goto('/settings/integrations');
  await expect(rowOf(page, name)).toContainText('Workflow gone (410)');
  const removed = page.getByRole('region', { name: 'Removed workflows' }).getByRole('listitem').first();
  await expect(removed).toContainText('New Contact');
  await expect(removed).toContainText('reported that this workflow is gone (410).');
  await expect(removed).toContainText('Turn the workflow off and on again');
  await expect(page.getByRole('article', { name: 'Olivia Owen' })).toContainText('No workflows turned on');

  await removed.getByRole('link', { name: 'Events' }).click();
  await page.waitForURL(/\?hook=[0-9a-f-]{36}#event-log$/);
  await rowOf(page, name).getByRole('link').click();
  await expect(page.getByText('It cannot be sent again because the workflow was removed.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Redeliver', exact: true })).toBeHidden();
});

test('the log is narrowed by event, outcome and time on the reader’s clock, and shows all again', async ({
  page,
}) => {
  await connect(page, 'owner@demo.test');
  await turnOn(page, 'New Contact', '200');
  const name = `Ada Arrived ${Date.now()}`;
  await createContact(page, name);
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
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Show all events' }).click();
  await expect(rowOf(page, name)).toContainText('Delivered');
  await expect(filter.getByLabel('Outcome')).toHaveValue('');
  await expect(filter.getByLabel('To')).toHaveValue('');
});

for (const { name, options } of [
  { name: 'dark', options: { colorScheme: 'dark', viewport: { width: 1280, height: 860 } } },
  { name: 'phone', options: { colorScheme: 'light', viewport: { width: 390, height: 844 } } },
] as const) {
  test.describe(name, () => {
    test.use(options);

    test('an open row of the log passes axe and needs no scrolling sideways', async ({ page }) => {
      await connect(page, 'owner@demo.test');
      await turnOn(page, 'New Contact', 'break off');
      const contact = `Bo Broken ${Date.now()}`;
      await createContact(page, contact);
      await page.goto('/settings/integrations');
      await expect(rowOf(page, contact)).toContainText('Could not connect', { timeout: 20_000 });
      await rowOf(page, contact).getByRole('link').click();
      await expect(page.getByRole('region', { name: 'Attempts' })).toContainText(
        'closed the connection before it responded.',
      );
      await expectAccessible(page);
    });
  });
}
