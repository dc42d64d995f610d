import { expect, type Locator, type Page } from '@playwright/test';
import { until } from '#test/fixtures/until.ts';
import { expectAccessible } from './accessible.ts';
import { box, button, openConversation, openOf, thread, waiting } from './composer.ts';
import { holdRequests } from './hold-requests.ts';
import { listMailsTo } from './mails.ts';
import { resetPlatform, signIn } from './steps.ts';
import { test } from './test.ts';

// A teammate formats replies and notes. `formatted-html.test.ts` tests the HTML of the emails.

test.beforeEach(({ page }) => resetPlatform(page));

const editor = (page: Page, name: 'Reply' | 'Note' = 'Reply') =>
  box(page, name).and(page.locator('.formatted'));

test('a formatted reply reaches the contact as HTML and as plain text, and the team sees it as written', {
  tag: '@journey',
}, async ({ page, openElsewhere }) => {
  const { inbox } = await openConversation(page);
  const colleague = await openOf(openElsewhere, 'agent@demo.test', inbox);

  await test.step('formatting begins with the selected words, by keyboard', async () => {
    await box(page, 'Reply').fill('Please do this first:');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('ControlOrMeta+B');
    await expect(editor(page).locator('strong')).toHaveText('Please do this first:');
    await expect(button(page, 'Bold')).toHaveAttribute('aria-pressed', 'true');
    await expectAccessible(page);
  });

  await test.step('a list, code and a link', async () => {
    await page.keyboard.press('End');
    await page.keyboard.press('ControlOrMeta+B');
    await page.keyboard.press('Enter');
    await button(page, 'Bulleted list').click();
    await page.keyboard.type('Restart');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Read ');
    await button(page, 'Link').click();
    await page.getByRole('textbox', { name: 'Address' }).fill('javascript:void');
    await button(page, 'Add link').click();
    await expect(page.getByText('Enter a web address, an email address or a phone number.')).toBeVisible();
    await page.getByRole('textbox', { name: 'Address' }).fill('example.com/guide');
    await button(page, 'Add link').click();
    await page.keyboard.type(' today');
    await expect(editor(page).getByRole('listitem')).toHaveText(['Restart', 'Read example.com/guide today']);
  });

  await test.step('a colleague sees the draft with its formatting', async () => {
    await expect(editor(colleague).getByRole('listitem')).toHaveCount(2);
    await expect(editor(colleague).locator('strong')).toHaveText('Please do this first:');
  });

  await test.step('Undo restores the formatting, and sending it again empties the draft of both', async () => {
    await editor(page).click();
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(waiting(page).locator('li li')).toHaveCount(2);
    await button(page, 'Undo').click();
    await expect(editor(page).locator('strong')).toHaveText('Please do this first:');
    await button(page, 'Send').click();
    await expect(thread(page).locator('strong')).toHaveText('Please do this first:');
    await expect(thread(colleague).getByRole('listitem').last()).toHaveText('Read example.com/guide today');
    await expect(box(page, 'Reply')).toHaveValue('');
    await expect(box(colleague, 'Reply')).toHaveValue('');
  });

  await test.step('the email has both parts', async () => {
    const address = await contactAddress(page);
    const mail = await until('the reply was sent', async () =>
      (await listMailsTo(address)).find(({ text }) => text.includes('Restart')),
    );
    expect(mail.text).toContain(
      'Please do this first:\n- Restart\n- Read example.com/guide (https://example.com/guide) today',
    );
    expect(mail.html).toMatch(/<strong[^>]*>Please do this first:<\/strong>/);
    expect(mail.html).toMatch(/<a href="https:\/\/example.com\/guide"[^>]*>example.com\/guide<\/a>/);
    expect(mail.html?.match(/<li/g)).toHaveLength(2);
  });
});

test('in a text with formatting, pasted lines stay lines, saved replies are offered, and plain text is one step away', async ({
  page,
}) => {
  await openConversation(page);
  await box(page, 'Reply').fill('Hello');
  await button(page, 'Formatting').click();
  await expect(editor(page)).toBeFocused();
  await paste(page, { 'text/plain': ' there,\n\nsecond paragraph' });
  await expect(editor(page).locator('p')).toHaveText(['Hello there,', '', 'second paragraph']);
  await page.keyboard.press('Enter');
  await paste(page, {
    'text/html': '<h1>Title</h1><p><a href="ftp://example.com/a">file</a> <b>bold</b></p>',
  });
  await expect(editor(page).locator('h1, a')).toHaveCount(0);
  await expect(editor(page).locator('strong')).toHaveText('bold');
  await page.keyboard.press('Enter');
  await page.keyboard.type('/');
  await expect(page.getByRole('listbox')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('listbox')).toHaveCount(0);
  await expect(editor(page)).toBeFocused();
  await editor(page).press('ControlOrMeta+End');
  await button(page, 'Plain text').click();
  await expect(box(page, 'Reply')).toBeFocused();
  await expect(box(page, 'Reply')).toHaveValue('Hello there,\n\nsecond paragraph\nTitle\nfile bold\n/');
});

test('a note mentions a teammate in its formatted text, and an edit keeps the earlier formatting', async ({
  page,
  openElsewhere,
}) => {
  const { inbox } = await openConversation(page);
  const colleague = await openOf(openElsewhere, 'agent@demo.test', inbox);
  await page.getByRole('tab', { name: 'Note' }).click();
  await box(page, 'Note').fill('');
  await button(page, 'Formatting').click();
  await expect(editor(page, 'Note')).toBeFocused();
  await page.keyboard.type('**Urgent** for @Arj');
  await page.keyboard.press('Enter');
  await expect(editor(page, 'Note')).toHaveText('Urgent for @Arjun Mehta ');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(thread(colleague).locator('strong')).toHaveText('Urgent');
  await expect(thread(colleague).locator('mark')).toHaveText('@Arjun Mehta');

  await button(page, 'Edit note').click();
  const edited = page.getByRole('textbox', { name: 'Edit note', exact: true });
  await expect(edited.locator('strong')).toHaveText('Urgent');
  await edited.fill('Done');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('ControlOrMeta+B');
  await button(page, 'Save').click();
  await expect(thread(colleague).locator('strong')).toHaveCount(0);
  await button(colleague, 'Edited').click();
  await expect(colleague.getByRole('list', { name: 'Earlier texts' }).locator('strong')).toHaveText('Urgent');
});

test('a channel without formatting offers none, but its notes do', async ({ page }) => {
  await signIn(page, 'owner@demo.test', '/inbox?status=all&channel=telegram');
  await page.getByRole('list', { name: 'Conversations' }).getByRole('link').first().click();
  await expect(button(page, 'Send')).toBeVisible();
  await expect(button(page, 'Formatting')).toHaveCount(0);
  await page.getByRole('tab', { name: 'Note' }).click();
  await expect(button(page, 'Formatting')).toBeVisible();
});

test('a pasted picture is part of the text for the writer, a colleague and the contact', async ({
  page,
  openElsewhere,
}) => {
  const { inbox } = await openConversation(page);
  const colleague = await openOf(openElsewhere, 'agent@demo.test', inbox);
  const picture = (of: Locator) => of.getByRole('img', { name: 'button.png' });
  const isShown = (of: Locator) => picture(of).evaluate((image: HTMLImageElement) => image.naturalWidth > 0);
  await box(page, 'Reply').fill('Press this: ');
  await pastePicture(page);
  await expect.poll(() => isShown(editor(page))).toBe(true);
  await expect(page.getByRole('list', { name: 'Files to send' })).toHaveCount(0);
  await expect.poll(() => isShown(editor(colleague))).toBe(true);

  await button(page, 'Send').click();
  await expect.poll(() => isShown(waiting(page))).toBe(true);
  await expect.poll(() => isShown(thread(colleague))).toBe(true);
  await expect(thread(colleague).getByRole('list', { name: 'Files' })).toHaveCount(0);
  const address = await contactAddress(page);
  const mail = await until('the reply was sent', async () =>
    (await listMailsTo(address)).find(({ text }) => text.includes('[button.png]')),
  );
  expect(mail.text).toMatch(/^Press this: \n\[button.png\]/);
  expect(mail.html).toMatch(/<img [^>]*src="cid:/);
});

test('a picture that is deleted from the text is not sent, and one that is still being uploaded never reaches another text', async ({
  page,
}) => {
  await openConversation(page);
  await box(page, 'Reply').fill('Look: ');
  // Changes in quick succession are undone together, and a draft is stored after a pause.
  const stored = page.waitForResponse(
    (response) =>
      /saveDraft/.test(response.url()) && (response.request().postData() ?? '').includes('"image"'),
  );
  await pastePicture(page);
  await expect(editor(page).getByRole('img', { name: 'button.png' })).toBeVisible();
  await stored;
  await page.keyboard.press('Backspace');
  await expect(editor(page).getByRole('img', { name: 'button.png' })).toHaveCount(0);
  await expect(page.getByRole('list', { name: 'Files to send' })).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+Z');
  await expect(editor(page).getByRole('img', { name: 'button.png' })).toBeVisible();
  await button(page, 'Plain text').click();
  await expect(box(page, 'Reply')).toHaveValue('Look: \n[button.png]');
  await button(page, 'Undo').click();
  await expect(editor(page).getByRole('img', { name: 'button.png' })).toBeVisible();

  await test.step('the note that is opened during an upload stays as it is, and so does the reply', async () => {
    await button(page, 'Plain text').click();
    await box(page, 'Reply').fill('For the contact');
    const release = await holdRequests(page, '**/attachments/', (request) => request.method() === 'POST');
    await pastePicture(page);
    await page.getByRole('tab', { name: 'Note' }).click();
    await box(page, 'Note').fill('For the team');
    const uploaded = page.waitForResponse('**/attachments/');
    release();
    await uploaded;
    await page.getByRole('tab', { name: 'Reply' }).click();
    await expect(page.getByRole('list', { name: 'Files to send' })).toContainText('button.png');
    await expect(box(page, 'Reply')).toHaveValue('For the contact');
    await page.getByRole('tab', { name: 'Note' }).click();
    await expect(box(page, 'Note')).toHaveValue('For the team');
  });
});

async function contactAddress(page: Page): Promise<string> {
  const address = await page
    .getByText(/^nora\.\d+@example\.com$/)
    .first()
    .textContent();
  return address ?? '';
}

/** Pastes a picture into the focused text box. */
async function pastePicture(page: Page): Promise<void> {
  await page.evaluate((encoded) => {
    const content = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([content], 'button.png', { type: 'image/png' }));
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
  }, PNG);
}

/** A picture of one pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** Pastes into the focused text box. */
async function paste(page: Page, data: Record<string, string>): Promise<void> {
  await page.evaluate((parts) => {
    const clipboardData = new DataTransfer();
    for (const [type, text] of Object.entries(parts)) clipboardData.setData(type, text);
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
  }, data);
}
