import { expect, type Page } from '@playwright/test';
import { box, button, openConversation, openOf, thread } from './composer.ts';
import { resetPlatform } from './steps.ts';
import { test } from './test.ts';

// A teammate edits and deletes a note, and a colleague sees it without reloading.

const editor = (page: Page) => page.getByRole('textbox', { name: 'Edit note', exact: true });

test('the author of a note edits it, deletes it and undoes that, which a colleague sees', async ({
  page,
  openElsewhere,
}) => {
  await resetPlatform(page);
  const { inbox } = await openConversation(page);
  const other = await openOf(openElsewhere, 'agent@demo.test', inbox);
  await thread(page).focus();
  await page.keyboard.press('n');
  await box(page, 'Note').fill('Refund 10 euros');
  await page.keyboard.press('Control+Enter');
  await expect(button(page, 'Edit note')).toBeVisible();
  await expect(thread(other)).toContainText('Refund 10 euros');
  await expect(button(other, 'Edit note')).toHaveCount(0);
  await expect(button(other, 'Delete note')).toHaveCount(0);

  await test.step('by keyboard, and the earlier text can be read', async () => {
    await thread(page).focus();
    await page.keyboard.press('Shift+N');
    await expect(editor(page)).toBeFocused();
    await editor(page).fill('Refund 20 euros');
    await page.keyboard.press('Control+Enter');
    await expect(editor(page)).toHaveCount(0);
    await expect(thread(other)).toContainText('Refund 20 euros');
    await expect(thread(other)).not.toContainText('Refund 10 euros');
    await button(other, 'Edited').click();
    await expect(other.getByRole('list', { name: 'Earlier texts' })).toContainText('Refund 10 euros');
  });

  await test.step('an edit from a second page does not replace the newer text unseen', async () => {
    const second = await page.context().newPage();
    await second.goto(inbox);
    await button(second, 'Edit note').click();
    await editor(second).fill('Refund 30 euros');
    await button(page, 'Edit note').click();
    await editor(page).fill('Refund 25 euros');
    await button(page, 'Save').click();
    await expect(thread(other)).toContainText('Refund 25 euros');
    await button(second, 'Save').click();
    await expect(thread(second)).toContainText('This note was changed somewhere else in the meantime.');
    await expect(second.getByRole('region', { name: 'New text' })).toContainText('Refund 25 euros');
    await expect(editor(second)).toHaveValue('Refund 30 euros');
    await button(second, 'Save').click();
    await expect(thread(other)).toContainText('Refund 30 euros');
    await second.close();
  });

  await test.step('a deleted note leaves who deleted it, until that is undone', async () => {
    await expect(thread(page)).toContainText('Refund 30 euros');
    await button(page, 'Delete note').click();
    await expect(thread(page)).toContainText('Olivia Owen deleted a note');
    await expect(thread(other)).toContainText('Olivia Owen deleted a note');
    await expect(thread(other)).not.toContainText('Refund');
    await button(page, 'Undo').click();
    await expect(thread(other)).toContainText('Refund 30 euros');
    await expect(thread(page)).toContainText('Refund 30 euros');
  });
});

test('a note of a picture alone is pasted, and a colleague opens it', async ({ page, openElsewhere }) => {
  await resetPlatform(page);
  const { inbox } = await openConversation(page);
  const other = await openOf(openElsewhere, 'agent@demo.test', inbox);
  await thread(page).focus();
  await page.keyboard.press('n');
  await box(page, 'Note').evaluate((element, bytes) => {
    const clipboardData = new DataTransfer();
    const picture = Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0));
    clipboardData.items.add(new File([picture], 'shelf.png', { type: 'image/png' }));
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  }, PNG);
  await expect(box(page, 'Note').getByRole('img', { name: 'shelf.png' })).toBeVisible();
  await button(page, 'Add note').click();
  const picture = thread(other).getByRole('img', { name: 'shelf.png' });
  await expect(picture).toBeVisible();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
  await expect(page.getByRole('list', { name: 'Files of the note' })).toHaveCount(0);
  await thread(page).focus();
  await page.keyboard.press('r');
  await expect(page.getByRole('list', { name: 'Files to send' })).toHaveCount(0);
});

/** A picture of one pixel, as Base64. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
