import { expect, type Page } from '@playwright/test';
import { accountOf, control } from './control-providers.ts';
import { holdRequests } from './hold-requests.ts';
import { thread } from './open-first.ts';
import { signIn } from './steps.ts';
import { test } from './test.ts';

// Two teammates in one conversation see each other, and do not answer it twice.

const row = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Conversations' }).getByRole('link', { name });
const composer = (page: Page) => page.getByRole('region', { name: 'Composer' });
const reply = (page: Page) => page.getByRole('textbox', { name: 'Reply', exact: true });

test('a teammate sees who views a conversation and types in it, until that teammate leaves', async ({
  page,
  openElsewhere,
}) => {
  const other = await openElsewhere();
  const name = await openTogether(page, other);
  await expect(composer(page)).toContainText('Arjun Mehta is viewing this conversation');
  await expect(composer(other)).toContainText('Olivia Owen is viewing this conversation');
  await expect(row(page, name)).toContainText('Arjun Mehta is viewing this conversation');

  await reply(other).pressSequentially('Hello');
  await expect(composer(page)).toContainText('Arjun Mehta is typing');
  await expect(row(page, name)).toContainText('Arjun Mehta is typing');

  await reply(other).fill('');
  await expect(composer(page)).toContainText('Arjun Mehta is viewing this conversation');
  await other.goto('about:blank');
  await expect(composer(page)).not.toContainText('Arjun Mehta');
  await expect(row(page, name)).not.toContainText('Arjun Mehta');
});

test('sending a reply asks first when a colleague has answered in the meantime', async ({
  page,
  openElsewhere,
}) => {
  const other = await openElsewhere();
  await openTogether(page, other);
  await reply(page).fill('My answer');
  await reply(other).fill('An earlier answer');
  await other.keyboard.press('Control+Enter');
  await expect(thread(page)).toContainText('An earlier answer');

  await page.keyboard.press('Control+Alt+Enter');
  const dialog = page.getByRole('alertdialog', { name: 'Arjun Mehta replied while you were writing' });
  await expect(dialog).toContainText('An earlier answer');
  await dialog.getByRole('button', { name: 'Keep editing' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(reply(page)).toBeFocused();
  await expect(reply(page)).toHaveValue('My answer');
  await expect(thread(page)).not.toContainText('My answer');

  await reply(other).fill('And one more');
  await other.keyboard.press('Control+Enter');
  await expect(thread(page)).toContainText('And one more');
  const release = await holdRequests(page, '**/composer.reply');
  await page.keyboard.press('Control+Enter');
  await reply(page).fill('Half of the next one');
  release();
  await expect(dialog).toContainText('And one more');
  await expect(dialog).not.toContainText('An earlier answer');
  await dialog.getByRole('button', { name: 'Send anyway' }).click();
  await expect(thread(page)).toContainText('My answer');
  await expect(thread(page)).not.toContainText('Half of the next one');
  await expect(reply(page)).toHaveValue('Half of the next one');
});

/** Opens a new conversation for the owner and for the agent. Returns the contact's name. */
async function openTogether(page: Page, other: Page): Promise<string> {
  const name = `Cole ${Date.now()}`;
  await signIn(page, 'owner@demo.test');
  const account = await accountOf(page, 'whatsapp');
  await control(page, 'POST', `/accounts/${account}/messages`, { from: name, text: 'Any news?' });
  await row(page, name).click();
  await expect(thread(page)).toContainText('Any news?');
  await signIn(other, 'agent@demo.test');
  await row(other, name).click();
  await expect(thread(other)).toContainText('Any news?');
  return name;
}
