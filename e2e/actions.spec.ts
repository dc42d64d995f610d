import { expect, type Locator, type Page } from '@playwright/test';
import { PLATFORM_URL } from './connection.ts';
import { connect, resetPlatform } from './steps.ts';
import { test } from './test.ts';

// Every action, search and trigger sample of the platform, as in a workflow editor.

test.beforeEach(({ page }) => resetPlatform(page));

test('every action and search of the platform runs, every trigger has samples, and the inbox shows it all', async ({
  page,
}) => {
  await connect(page, 'owner@demo.test');
  await page.goto(PLATFORM_URL);

  await test.step('an invalid access token is refreshed silently', async () => {
    const { connections } = await (await page.request.get(`${PLATFORM_URL}/api/state`)).json();
    const headers = { origin: PLATFORM_URL };
    const path = `/api/connections/${connections[0].id}/spoil-token`;
    await page.request.post(`${PLATFORM_URL}${path}`, { headers });
    const connection = page.getByRole('listitem', { name: 'Demo Growth (owner@demo.test)' });
    await connection.getByRole('button', { name: 'Test' }).click();
    await expect(connection).toContainText('Connected');
  });

  await test.step('every trigger shows recent samples of the workspace', async () => {
    const triggers = [
      'New Conversation',
      'Conversation Status Changed',
      'Conversation Assigned',
      'Conversation Tagged',
      'New Satisfaction Rating',
      'New Customer Message',
      'New Contact',
      'Workflow Command',
    ];
    for (const name of triggers) {
      const trigger = page.getByRole('region', { name });
      await trigger.getByRole('button', { name: /sample/i }).click();
      await expect(trigger.getByRole('status').first()).toContainText('200 OK');
      const samples = JSON.parse(
        (await trigger.getByRole('group', { name: 'JSON' }).textContent()) ?? 'null',
      );
      expect(samples.length, name).toBeGreaterThan(0);
      expect(samples.length).toBeLessThanOrEqual(3);
    }
  });

  await test.step('creates, updates and finds contacts, and creates one when none is found', async () => {
    const number = String(Date.now());
    const email = `robin.${number}@example.com`;
    const created = await run(page, 'Create Contact', { Name: 'Robin Roe', 'E-mail': email }, '201 Created');
    expect(created).toMatchObject({ name: 'Robin Roe', first_name: 'Robin', email });
    const { id } = Object(created);

    await run(page, 'Create Contact', { Name: 'Someone Else' }, '422');
    const form = page.getByRole('form', { name: 'Create Contact' });
    await expect(form).toContainText('This address already belongs to Robin Roe.');

    const fields = { 'Contact ID': id, City: 'Leipzig', Phone: `+49 341 ${number}` };
    const updated = await run(page, 'Update Contact', fields, '200 OK');
    expect(updated).toMatchObject({ id, name: 'Robin Roe', city: 'Leipzig', phone: `+49 341 ${number}` });

    expect(await run(page, 'Find Contact', { 'E-mail': email.toUpperCase() }, '200 OK')).toMatchObject([
      { id },
    ]);
    expect(
      await run(page, 'Find Contact', { 'E-mail': '', Phone: `49341${number}` }, '200 OK'),
    ).toMatchObject([{ id }]);

    const search = page.getByRole('form', { name: 'Find Contact' });
    await search.getByLabel('Create the contact when none is found').check();
    const nobody = `nobody.${Date.now()}@example.com`;
    const newContact = await run(page, 'Find Contact', { 'E-mail': nobody, Phone: '' }, '201 Created');
    expect(newContact).toMatchObject({ email: nobody });
  });

  await test.step('starts, updates, answers, annotates, tags and finds conversations', async () => {
    const email = `uma.${Date.now()}@example.com`;
    const subject = `Return of order ${Date.now()}`;
    const created = await run(
      page,
      'Create Conversation',
      { 'To email': email, 'To name': 'Uma Umber', Subject: subject, Content: 'Your label is attached.' },
      '201 Created',
    );
    const { id } = Object(created);
    expect(created).toMatchObject({ status: 'open', assignee: { email: 'owner@demo.test' } });

    const updated = await run(
      page,
      'Update Conversation',
      {
        'Conversation ID': id,
        Status: 'pending',
        Priority: 'high',
        Assignee: /Arjun Mehta/,
        Team: /Billing/,
      },
      '200 OK',
    );
    expect(updated).toMatchObject({ status: 'pending', priority: 'high', team: { name: 'Billing' } });
    expect(updated).not.toMatchObject({ assignee: { email: 'owner@demo.test' } });

    const reply = await run(
      page,
      'Send Reply',
      { 'Conversation ID': id, Content: 'Did it arrive?' },
      '201 Created',
    );
    expect(reply).toMatchObject({ conversation_id: id, send_status: 'sent', delivery_error: null });

    const note = { 'Conversation ID': id, Content: 'Waiting for the parcel.' };
    expect(await run(page, 'Add Internal Note', note, '201 Created')).toMatchObject({ conversation_id: id });

    const tags = { 'Conversation ID': id, Tags: 'Return, VIP, return' };
    expect(await run(page, 'Add Tags to Conversation', tags, '200 OK')).toMatchObject({
      tags: ['Return', 'VIP'],
    });

    const found = await run(
      page,
      'Find Conversation',
      { 'Contact email': email, Status: 'pending' },
      '200 OK',
    );
    expect(found).toMatchObject([{ id, subject }]);
    expect(await run(page, 'Find Conversation', { 'Conversation ID': id }, '200 OK')).toMatchObject([{ id }]);

    await run(page, 'Update Conversation', { 'Conversation ID': id, Status: 'closed' }, '200 OK');
    await run(page, 'Update Conversation', { 'Conversation ID': id, Status: 'open' }, '422');
    const form = page.getByRole('form', { name: 'Update Conversation' });
    await expect(form).toContainText('a closed conversation stays closed');

    await page.goto(`/inbox?selected=${id}`);
    const thread = page.getByRole('region', { name: 'Messages' });
    for (const text of [
      'Did it arrive?',
      'Waiting for the parcel.',
      'added the tags Return, VIP',
      'Billing',
    ]) {
      await expect(thread).toContainText(text);
    }
    await expect(thread).toContainText('changed the status from pending to closed through Workflow Platform');
  });
});

/** Fills a step's form (a RegExp selects the matching option), runs it and returns the JSON response. */
async function run(page: Page, step: string, fields: Fields, expectedStatus: string): Promise<unknown> {
  const form = page.getByRole('form', { name: step });
  for (const [label, value] of Object.entries(fields)) {
    const field = form.getByLabel(label, { exact: true });
    if (typeof value !== 'string') await chooseOption(field, value);
    else if ((await field.evaluate((element) => element.tagName)) === 'SELECT')
      await field.selectOption(value);
    else await field.fill(value);
  }
  await form.getByRole('button', { name: 'Run' }).click();
  await expect(form.getByRole('status')).toContainText(expectedStatus);
  return JSON.parse((await form.getByRole('group', { name: 'JSON' }).textContent()) ?? 'null');
}

async function chooseOption(select: Locator, wanted: RegExp): Promise<void> {
  const option = select.locator('option').filter({ hasText: wanted }).first();
  await expect(option).toBeAttached();
  await select.selectOption(await option.getAttribute('value'));
}

type Fields = Record<string, string | RegExp>;
