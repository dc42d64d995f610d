import { expect, type Page } from '@playwright/test';
import { eventsOf } from './connection.ts';
import { connect, openSession, resetPlatform, signIn } from './steps.ts';
import { test } from './test.ts';

// Teammates search, add and correct contacts.

test.beforeEach(({ page }) => resetPlatform(page));

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const rows = (page: Page) => page.getByRole('rowheader');

async function create(page: Page, name: string, email: string): Promise<void> {
  await page.goto('/contacts/new');
  await field(page, 'Name').fill(name);
  await field(page, 'Email').fill(email);
  await page.getByRole('button', { name: 'Create contact' }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
}

test('a created contact is shown immediately, and the platform receives its event', {
  tag: '@journey',
}, async ({ page }) => {
  const connection = await connect(page, 'owner@demo.test');
  await connection.turnOn(['contact.created']);

  const email = `ines.${Date.now()}@brightside.example`;
  await page.goto('/contacts');
  await page.getByRole('link', { name: 'New contact' }).click();
  await page.getByRole('button', { name: 'Create contact' }).click();
  await expect(field(page, 'Name')).toHaveAccessibleDescription(
    /Give at least one of name, email address and phone number\./,
  );
  await expect(field(page, 'Name')).toBeFocused();
  await field(page, 'Name').fill('Inês Duarte');
  await field(page, 'Email').fill(email);
  await field(page, 'City').fill('Porto');
  await field(page, 'Language').selectOption({ label: 'Portuguese' });
  await page.getByRole('button', { name: 'Create contact' }).click();
  await expect(page.getByText('Inês Duarte added')).toBeVisible();
  await expect(page).toHaveURL(/\/contacts\/[0-9a-f-]{36}$/);
  const details = page.getByRole('region', { name: 'Details' });
  for (const known of [email, 'Porto', 'Portuguese', 'Brightside Hotels']) {
    await expect(details).toContainText(known);
  }
  await expect(page.getByRole('link', { name: 'New conversation' })).toHaveAttribute(
    'href',
    `/inbox?new=${encodeURIComponent(email)}`,
  );

  await details.getByRole('link', { name: /other contact/ }).click();
  await expect(page).toHaveURL(/\/contacts\?company=/);
  await expect(rows(page).filter({ hasText: 'Priya Raman' })).toBeVisible();
  await expect(rows(page).filter({ hasText: 'Marcus Whitfield' })).toHaveCount(0);

  const received = async () =>
    (await eventsOf(page)).map(({ event, raw_body }) => [event, JSON.parse(raw_body).contact]);
  await expect
    .poll(received)
    .toEqual([['contact.created', expect.objectContaining({ name: 'Inês Duarte', email })]]);
});

test('an agent learns that an address is taken, and finds contacts while typing', async ({ page }) => {
  await test.step('a taken address links to its contact, and the form keeps its input', async () => {
    await signIn(page, 'agent@demo.test', '/contacts/new');
    await field(page, 'Name').fill('Daniel Again');
    await field(page, 'Email').fill('DANIEL.KIM@example.com');
    await field(page, 'Company').selectOption({ label: 'New company…' });
    await field(page, 'Company name').fill('Unmade');
    await page.getByRole('button', { name: 'Create contact' }).click();
    await expect(field(page, 'Email')).toHaveAccessibleDescription(
      'This address already belongs to Daniel Kim.',
    );
    await expect(field(page, 'Email')).toBeFocused();
    await expect(field(page, 'Name')).toHaveValue('Daniel Again');
    await expect(field(page, 'Company name')).toHaveValue('Unmade');

    const opened = page.waitForEvent('popup');
    await page.getByRole('link', { name: /^Open Daniel Kim/ }).click();
    const other = await opened;
    await expect(other.getByRole('heading', { level: 1, name: 'Daniel Kim' })).toBeVisible();
    await other.close();
  });

  await test.step('the search updates while typing, is stored in the URL, and survives going back', async () => {
    await page.goto('/contacts');
    const search = page.getByRole('searchbox', { name: 'Search contacts' });
    await search.pressSequentially('brightside-ho', { delay: 30 });
    await expect(rows(page)).toHaveText([/Priya Raman/]);
    await expect(search).toBeFocused();
    await expect(page).toHaveURL(/search=brightside-ho$/);
    await page.reload();
    await expect(search).toHaveValue('brightside-ho');
    await expect(rows(page)).toHaveText([/Priya Raman/]);

    await rows(page).getByRole('link').click();
    await expect(page.getByRole('heading', { level: 1, name: 'Priya Raman' })).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Contacts', exact: true }).click();
    await expect(search).toHaveValue('brightside-ho');
    await expect(rows(page)).toHaveText([/Priya Raman/]);

    await search.fill('nobody at all');
    await expect(page.getByText('No contact matches “nobody at all”.')).toBeVisible();
    await page.getByRole('button', { name: 'Clear search' }).click();
    await expect(search).toBeFocused();
    await expect(page).toHaveURL(/\/contacts$/);
    expect(await rows(page).count()).toBeGreaterThan(5);

    await search.fill('7700 900318');
    await expect(rows(page)).toHaveText([/Marcus Whitfield/]);
    await search.press('Escape');
    await expect(search).toHaveValue('');
  });
});

test('a contact is corrected, and wrong values are cleared', { tag: '@journey' }, async ({ page }) => {
  await openSession(page, 'agent@demo.test');
  const number = Date.now();
  await create(page, 'Otis Old', `otis.${number}@example.com`);
  await page.getByRole('link', { name: 'Edit' }).click();
  await expect(field(page, 'Name')).toHaveValue('Otis Old');
  await field(page, 'Name').fill('Otis New');
  await field(page, 'Email').fill('');
  await field(page, 'Phone').fill(`+44 20 ${number}`);
  await field(page, 'Language').selectOption({ label: 'Another language…' });
  await field(page, 'Language code').fill('far-too-long');
  await field(page, 'Company').selectOption({ label: 'New company…' });
  await field(page, 'Company name').fill(`Otis & Co ${number}`);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(field(page, 'Language code')).toHaveAccessibleDescription(/at most 8 characters/);
  await field(page, 'Language code').fill('cy');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Otis New saved')).toBeVisible();
  const details = page.getByRole('region', { name: 'Details' });
  for (const known of [`+44 20 ${number}`, 'Welsh', `Otis & Co ${number}`]) {
    await expect(details).toContainText(known);
  }
  await expect(details).not.toContainText('otis.');
  await expect(page.getByRole('link', { name: 'New conversation' })).toHaveCount(0);

  await page.getByRole('link', { name: 'Edit' }).click();
  for (const name of ['Name', 'Phone']) await field(page, name).fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(field(page, 'Name')).toHaveAccessibleDescription(/Keep at least one of/);
});

test('a contact that a colleague changes or merges in the meantime loses nothing', async ({
  page,
  openElsewhere,
}) => {
  await openSession(page, 'agent@demo.test');
  const other = await openElsewhere();
  await test.step('saving a contact keeps what a colleague saved in the meantime', async () => {
    const tag = Date.now();
    await create(page, `Before ${tag}`, `both.${tag}@example.com`);
    const { pathname } = new URL(page.url());
    await page.getByRole('link', { name: 'Edit' }).click();
    await expect(field(page, 'Name')).toHaveValue(`Before ${tag}`);

    await signIn(other, 'owner@demo.test', `${pathname}/edit`);
    await field(other, 'Name').fill(`After ${tag}`);
    await field(other, 'Phone').fill(`+44 20 ${tag}`);
    await other.getByRole('button', { name: 'Save' }).click();
    await expect(other.getByText(`After ${tag} saved`)).toBeVisible();

    await expect(page.getByRole('link', { name: `After ${tag}` })).toBeVisible();
    await field(page, 'City').fill('Porto');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText(`After ${tag} saved`)).toBeVisible();
    await expect(page.getByRole('heading', { level: 1, name: `After ${tag}` })).toBeVisible();
    const details = page.getByRole('region', { name: 'Details' });
    for (const known of [`+44 20 ${tag}`, 'Porto']) await expect(details).toContainText(known);
  });

  await test.step('a contact that a colleague merged is not saved into the other one, and the form keeps its input', async () => {
    const tag = Date.now();
    await create(page, `Remains ${tag}`, `remains.${tag}@example.com`);
    const remaining = page.url();
    await create(page, `Twin ${tag}`, `twin.${tag}@example.com`);
    await page.getByRole('link', { name: 'Edit' }).click();
    await field(page, 'City').fill('Porto');

    await signIn(other, 'owner@demo.test', new URL(remaining).pathname);
    await other.getByRole('button', { name: 'Merge…' }).click();
    const dialog = other.getByRole('dialog', { name: 'Merge contacts' });
    await field(other, 'Find the other contact').fill(`Twin ${tag}`);
    await dialog.getByRole('radio', { name: `Twin ${tag}` }).check();
    await dialog.getByRole('button', { name: 'Merge contacts' }).click();
    await expect(other.getByText(`Twin ${tag} merged into Remains ${tag}`)).toBeVisible();

    await expect(page.getByRole('link', { name: `Remains ${tag}` })).toBeVisible();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText(`This contact was merged into Remains ${tag}`)).toBeVisible();
    await expect(field(page, 'City')).toHaveValue('Porto');
    await page.goto(remaining);
    const details = page.getByRole('region', { name: 'Details' });
    await expect(details).toContainText(`remains.${tag}@example.com`);
    await expect(details).not.toContainText('Porto');
  });
});

test('viewers can read contacts and have no edit controls', async ({ page }) => {
  // Other flows add contacts, so the first page may lack this one.
  await signIn(page, 'viewer@demo.test', '/contacts?search=Priya');
  await expect(page.getByRole('link', { name: 'New contact' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Priya Raman' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Priya Raman' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Edit' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'New conversation' })).toHaveCount(0);
  await page.goto(`${page.url().split('?')[0]}/edit`);
  await expect(page.getByText('You can view contacts but not edit them')).toBeVisible();
  await page.goto('/contacts/new');
  await expect(page.getByText('You can view contacts but not edit them')).toBeVisible();
});

test('a merged contact becomes part of another one, and its old address leads there', async ({ page }) => {
  await signIn(page, 'agent@demo.test');
  const tag = Date.now();
  await create(page, `Ada Merge ${tag}`, `ada.home.${tag}@example.com`);
  const old = page.url();
  await create(page, `Ada Remains ${tag}`, `ada.work.${tag}@example.com`);
  const remaining = page.url();

  await page.getByRole('button', { name: 'Merge…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Merge contacts' });
  await field(page, 'Find the other contact').fill(`Ada Merge ${tag}`);
  await dialog.getByRole('radio', { name: `Ada Merge ${tag}` }).check();
  const preview = dialog.getByRole('region', { name: 'Preview' });
  await expect(preview).toContainText('0 conversations, 0 notes');
  await expect(preview).toContainText(`Email from ada.home.${tag}@example.com will arrive here too.`);
  await expect(dialog).toContainText('This can’t be undone.');
  await dialog.getByRole('button', { name: 'Merge contacts' }).click();
  await expect(page.getByText(`Ada Merge ${tag} merged into Ada Remains ${tag}`)).toBeVisible();
  await expect(dialog).toBeHidden();

  await page.goto(old);
  await expect(page).toHaveURL(remaining);
  await expect(page.getByRole('heading', { level: 1, name: `Ada Remains ${tag}` })).toBeVisible();
});
