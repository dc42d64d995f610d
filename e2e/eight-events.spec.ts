import { expect, type Page } from '@playwright/test';
import { chatPaths } from './chat-paths.ts';
import { eventsOf } from './connection.ts';
import { connect, resetPlatform } from './steps.ts';
import { test } from './test.ts';

// Each of the eight events, caused on the screens by every possible actor, reaches the platform.

test.beforeEach(({ page }) => resetPlatform(page));

const EVENTS = [
  'conversation.created',
  'conversation.status_changed',
  'conversation.assigned',
  'conversation.tagged',
  'conversation.rated',
  'message.received',
  'contact.created',
  'operator.command',
];

type Received = { event: string; body: Record<string, unknown> };

test('all eight events reach the platform, whichever user causes them on the screens', async ({
  page,
  openElsewhere,
}) => {
  test.slow();
  const stamp = Date.now();
  const connection = await connect(page, 'owner@demo.test');
  await connection.turnOn(EVENTS);
  await setUpAutomation(page, 'theremin');
  const { chat } = await chatPaths(page);

  const ada = `Ada ${stamp}`;
  const visitor = await openChat(openElsewhere, chat);
  await test.step('a contact writes: contact, conversation and message', async () => {
    await write(visitor, 'My parcel is late.', ada);
    await expectReceived(page, ada, 'contact.created');
    await expectReceived(page, ada, 'conversation.created');
    await expectReceived(page, ada, 'message.received', {
      message: expect.objectContaining({ content: 'My parcel is late.', attachments_count: 0 }),
    });
  });

  const id = await openConversation(page, ada);
  await test.step('a teammate assigns, tags, sets the status and runs a command', async () => {
    await page.getByRole('button', { name: 'Assign to me' }).click();
    await expectReceived(page, ada, 'conversation.assigned', { previous_assignee: null });
    await details(page).getByRole('button', { name: 'Add tag' }).click();
    await page.keyboard.type('late');
    await page.keyboard.press('Enter');
    // Wait for the focus to return, because its move would close an open menu.
    await expect(details(page).getByRole('button', { name: 'Add tag' })).toBeFocused();
    await expectReceived(page, ada, 'conversation.tagged', { added_tags: ['late'] });
    await setStatus(page, 'Open', 'Pending');
    await expectReceived(page, ada, 'conversation.status_changed', { previous_status: 'open' });
    await page.getByRole('button', { name: 'Run command', exact: true }).click();
    await page.getByLabel('Command', { exact: true }).fill('trace');
    await page.getByRole('textbox', { name: 'Details' }).fill('parcel 7');
    await page.keyboard.press('Control+Enter');
    await expectReceived(page, ada, 'operator.command', { command: 'trace', arguments: 'parcel 7' });
  });

  await test.step('a message from the contact reopens the conversation automatically', async () => {
    await write(visitor, 'Any news?');
    await expectReceived(page, ada, 'conversation.status_changed', { previous_status: 'pending' });
    await expect(thread(page)).toContainText('The service changed the status from pending to open');
  });

  await test.step('the platform solves it', async () => {
    await connection.run('update-conversation', { conversation_id: id, status: 'solved' });
    await expectReceived(page, ada, 'conversation.status_changed', {
      conversation: expect.objectContaining({ id, status: 'solved' }),
    });
    await expect(thread(page)).toContainText('through Workflow Platform');
  });

  await test.step('the contact rates it', async () => {
    await visitor.getByText('Very good', { exact: true }).click();
    await visitor.getByLabel('Comment (optional)').fill('Thanks');
    await visitor.getByRole('button', { name: 'Send rating' }).click();
    await expectReceived(page, ada, 'conversation.rated', { rating: { score: 5, comment: 'Thanks' } });
  });

  const ben = `Ben ${stamp}`;
  await test.step('the AI agent answers and solves', async () => {
    const other = await openChat(openElsewhere, chat);
    await write(other, 'Hello, do you repair a theremin?', ben);
    await expect(other.getByRole('log', { name: 'Conversation' })).toContainText('we repair every theremin');
    await expectReceived(page, ben, 'conversation.status_changed', {
      previous_status: 'open',
      conversation: expect.objectContaining({ status: 'solved' }),
    });
    await openConversation(page, ben);
    await expect(thread(page)).toContainText('The AI agent changed the status from open to solved');
  });

  const cleo = `Cleo ${stamp}`;
  await test.step('a flow tags, assigns and sets the status', async () => {
    await write(await openChat(openElsewhere, chat), 'I need help urgently', cleo);
    await expectReceived(page, cleo, 'conversation.tagged', { added_tags: ['urgent'] });
    await expectReceived(page, cleo, 'conversation.assigned', {
      conversation: expect.objectContaining({ assignee: expect.objectContaining({ name: 'Arjun Mehta' }) }),
    });
    await expectReceived(page, cleo, 'conversation.status_changed', {
      conversation: expect.objectContaining({ status: 'pending' }),
    });
    await openConversation(page, cleo);
    await expect(thread(page)).toContainText('An automation changed the status from open to pending');
  });

  await tidyUp(page, 'theremin');
});

/** Returns the events received about a contact with this name, in order of arrival. */
async function receivedOf(page: Page, name: string): Promise<Received[]> {
  return (await eventsOf(page))
    .map(({ event, raw_body }): Received => ({ event, body: JSON.parse(raw_body) }))
    .filter(({ body }) => JSON.stringify(body).includes(name))
    .reverse();
}

/** Waits until the platform has received a matching event. */
async function expectReceived(
  page: Page,
  name: string,
  event: string,
  like: Record<string, unknown> = {},
): Promise<void> {
  await expect
    .poll(
      async () =>
        (await receivedOf(page, name)).filter((received) => received.event === event).map(({ body }) => body),
      {
        message: `${event} of ${name}`,
      },
    )
    .toContainEqual(expect.objectContaining(like));
}

async function openChat(openElsewhere: () => Promise<Page>, path: string): Promise<Page> {
  const visitor = await openElsewhere();
  await visitor.goto(path);
  return visitor;
}

async function write(visitor: Page, text: string, name?: string): Promise<void> {
  if (name) await visitor.getByLabel('Name (optional)').fill(name);
  await visitor.getByRole('textbox', { name: 'Message' }).fill(text);
  await visitor.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(visitor.getByRole('log', { name: 'Conversation' })).toContainText(text);
}

async function openConversation(page: Page, name: string): Promise<string> {
  await page.goto('/inbox?status=all');
  await page
    .getByRole('main')
    .getByRole('link', { name: new RegExp(name) })
    .first()
    .click();
  await page.waitForURL(/selected=/);
  return new URL(page.url()).searchParams.get('selected') ?? '';
}

async function setStatus(page: Page, from: string, to: string): Promise<void> {
  await page.getByRole('button', { name: `Status: ${from}` }).click();
  await page.getByRole('menuitemradio', { name: to }).click();
  await expect(page.getByRole('button', { name: `Status: ${to}` })).toBeVisible();
}

/** Creates a saved answer and a flow for a word that no other flow uses. */
async function setUpAutomation(page: Page, word: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await page.goto('/settings/ai-agent');
  await page.getByRole('button', { name: 'Add answer' }).click();
  await dialog.getByLabel('Question').fill(`Do you repair a ${word}?`);
  await dialog.getByLabel('Answer', { exact: true }).fill(`Yes, we repair every ${word}.`);
  await dialog.getByLabel('Then set the conversation to').selectOption('solved');
  await dialog.getByRole('button', { name: 'Add answer' }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole('switch', { name: 'Answer contacts' }).click();
  await expect(page.getByRole('switch', { name: 'Answer contacts' })).toBeChecked();

  await page.goto('/settings/flows');
  await page.getByRole('button', { name: 'New automation' }).click();
  await dialog.getByLabel('Name').fill(word);
  await dialog.getByLabel('Containing one of these words').fill('urgently');
  await dialog.getByLabel('Add tags').fill('urgent');
  await dialog.getByLabel('Assign to teammate').selectOption({ label: 'Arjun Mehta' });
  await dialog.getByLabel('Set status').selectOption('pending');
  await dialog.getByRole('button', { name: 'Create automation' }).click();
  await expect(page.getByRole('listitem', { name: word })).toBeVisible();
}

async function tidyUp(page: Page, word: string): Promise<void> {
  await page.goto('/settings/flows');
  await page.getByRole('button', { name: `Delete ${word}` }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('listitem', { name: word })).toBeHidden();
  await page.goto('/settings/ai-agent');
  await page.getByRole('switch', { name: 'Answer contacts' }).click();
  await expect(page.getByRole('switch', { name: 'Answer contacts' })).not.toBeChecked();
}

function thread(page: Page) {
  return page.getByRole('region', { name: 'Messages' });
}

function details(page: Page) {
  return page.getByRole('region', { name: 'Details' });
}
