import { expect, type Page } from '@playwright/test';
import { box, startConversation } from './composer.ts';
import { fillInSignIn, openSession, resetPlatform } from './steps.ts';
import { test } from './test.ts';

// Files and texts that other apps share with the installed app. A form on a page posts them, as the share sheet of a phone does.

const heading = (page: Page) => page.getByRole('heading', { name: 'Share to a conversation' });
const files = (page: Page) => page.getByRole('list', { name: 'Files to send' });

test.beforeEach(({ phone }) => resetPlatform(phone));

test('what another app shares is added to the draft of the chosen conversation or a new one, and nobody else in this browser sees it', async ({
  phone,
}) => {
  const { id } = await startConversation(phone);
  await test.step('a share that reaches the server says what to do, and the next one works', async () => {
    await phone.goto('/settings/notifications');
    await share(phone, { text: 'Lost' });
    await expect(phone.getByText('The app was not ready')).toBeVisible();
    await phone.waitForFunction(() => navigator.serviceWorker.controller !== null);
  });

  await test.step('files and text are added below the draft, and too large files are named', async () => {
    await phone.goto(`/inbox?selected=${id}`);
    await box(phone, 'Reply').fill('Hello Nora');
    await share(phone, {
      text: 'Seen in the shop',
      url: 'https://example.com/boots',
      files: [
        { name: 'boots.txt', bytes: 1_000 },
        { name: 'film.txt', bytes: 11_000_000 },
      ],
    });
    await expect(heading(phone)).toBeVisible();
    await expect(phone.getByText('“film.txt” is 11 MB, so it was left out.')).toBeVisible();
    await phone.getByLabel('Find a conversation').fill('Nora Newcomer');
    const isStored = phone.waitForResponse(
      (response) =>
        response.url().endsWith('composer.saveDraft') &&
        Boolean(response.request().postData()?.includes('boots.txt')),
    );
    await phone.getByRole('region', { name: 'Results' }).getByRole('button').first().click();
    await phone.waitForURL(`**/inbox?status=all&selected=${id}`);
    await expect(box(phone, 'Reply')).toHaveValue(
      'Hello Nora\n\nSeen in the shop\nhttps://example.com/boots',
    );
    await expect(files(phone)).toContainText('boots.txt');
    await expect(files(phone).getByRole('button')).toHaveCount(1);
    await isStored;
    await phone.reload();
    await expect(box(phone, 'Reply')).toHaveValue(/Seen in the shop/);
    await expect(files(phone)).toContainText('boots.txt');
  });

  await test.step('a new conversation starts with files and text, which stay on the device until it is sent', async () => {
    const start = phone.getByRole('button', { name: 'New conversation' });
    const form = phone.getByRole('form', { name: 'New conversation' });
    const message = form.getByLabel('Message');
    const subject = `Boots ${Date.now()}`;
    await share(phone, { text: 'Seen in the shop', files: [{ name: 'boots.txt', bytes: 1_000 }] });
    const address = phone.url();
    await start.press('Enter');
    await expect(form.getByLabel('To', { exact: true })).toBeFocused();
    await expect(message).toHaveValue('Seen in the shop');
    await expect(files(phone).getByRole('button', { name: 'Remove boots.txt' })).toHaveCount(1);
    await phone.keyboard.press('Escape');
    await expect(start).toBeFocused();
    await phone.reload();
    await start.click();
    await form.getByLabel('To', { exact: true }).fill(`nora.${Date.now()}@example.com`);
    await form.getByLabel('Subject').fill(subject);
    await message.fill('These?');
    await expect(files(phone).getByLabel('Uploading')).toHaveCount(0);
    await form.getByRole('button', { name: 'Send' }).click();
    await expect(phone.getByRole('heading', { name: subject, level: 2 })).toBeVisible();
    const thread = phone.getByRole('region', { name: 'Messages' });
    await expect(thread).toContainText('These?');
    await expect(thread.getByRole('link', { name: /boots\.txt/ })).toBeVisible();
    await phone.goto(address);
    await expect(phone.getByText('Nothing to share')).toBeVisible();
  });

  await test.step('too much is refused with a sentence', async () => {
    await share(phone, { files: [1, 2, 3].map((n) => ({ name: `${n}.txt`, bytes: 9_000_000 })) });
    await expect(phone.getByText('The files are too large')).toBeVisible();
  });

  await test.step('a teammate who is signed out signs in first', async () => {
    await phone.context().clearCookies();
    await phone.goto('/sign-in');
    await share(phone, { text: 'From the street' });
    await fillInSignIn(phone, 'owner@demo.test');
    await expect(phone.getByText('From the street')).toBeVisible();
  });

  await test.step('another teammate in this browser does not see it', async () => {
    const address = phone.url();
    await openSession(phone, 'agent@demo.test');
    await phone.goto(address);
    await expect(phone.getByText('Nothing to share')).toBeVisible();
  });

  await test.step('it is removed at sign-out', async () => {
    await share(phone, { text: 'Shared by the agent' });
    await expect(phone.getByText('Shared by the agent')).toBeVisible();
    const address = phone.url();
    await phone.getByRole('button', { name: 'Menu' }).click();
    await phone
      .getByRole('button', { name: /^Account: / })
      .locator('visible=true')
      .click();
    await phone.getByRole('menuitem', { name: 'Sign out' }).click();
    await phone.waitForURL(/sign-in/);
    await openSession(phone, 'agent@demo.test');
    await phone.goto(address);
    await expect(phone.getByText('Nothing to share')).toBeVisible();
  });
});

type Shared = { text?: string; url?: string; files?: { name: string; bytes: number }[] };

/** Posts a share from the open page, and waits for the page that it leads to. */
async function share(page: Page, shared: Shared): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.evaluate(postShare, shared)]);
  await page.waitForURL(/\/(share|sign-in)\?/);
}

/** Runs in the browser. */
function postShare({ text = '', url = '', files: given = [] }: Shared): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.enctype = 'multipart/form-data';
  form.action = '/share-target';
  for (const [name, value] of Object.entries({ title: '', text, url })) {
    const field = document.createElement('textarea');
    Object.assign(field, { name, value });
    form.append(field);
  }
  const chosen = new DataTransfer();
  for (const { name, bytes } of given) chosen.items.add(new File(['a'.repeat(bytes)], name));
  const picker = document.createElement('input');
  Object.assign(picker, { type: 'file', name: 'files', multiple: true, files: chosen.files });
  form.append(picker);
  document.body.append(form);
  form.submit();
}
