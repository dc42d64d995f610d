import { expect, type Page } from '@playwright/test';
import { chatPaths } from './chat-paths.ts';
import { clickOnceShown } from './click-once-shown.ts';
import { eventsOf } from './connection.ts';
import { holdRefresh } from './hold-refresh.ts';
import { connect, openSession, resetPlatform } from './steps.ts';
import { test } from './test.ts';

// Automations: configured on the screens, triggered by a contact, delivered to the platform.

test.beforeEach(({ page }) => resetPlatform(page));

test('a flow and the AI agent process a new conversation, and workflows receive all their events', {
  tag: '@journey',
}, async ({ page }) => {
  test.slow();
  const stamp = Date.now();
  const connection = await connect(page, 'owner@demo.test');
  await connection.turnOn(['conversation.tagged', 'conversation.assigned', 'conversation.status_changed']);
  const question = 'Do you sell xylophones?';
  await addAnswer(page, question, 'Yes, in three colours.');
  // The demo data turns the agent on.
  await expect(agentSwitch(page)).toBeChecked();

  await page.goto('/settings/flows');
  await page.getByRole('button', { name: 'New automation' }).click();
  await dialog(page).getByRole('button', { name: 'Create automation' }).click();
  await expect(dialog(page).getByLabel('Name')).toBeFocused();
  await dialog(page).getByLabel('Name').fill('Instruments');
  await dialog(page).getByRole('button', { name: 'Create automation' }).click();
  await expect(dialog(page).getByLabel('Add tags')).toHaveAccessibleDescription(
    /Say what the automation does/,
  );
  await dialog(page).getByLabel('Containing one of these words').fill('xylophone, drum');
  await dialog(page).getByLabel('Add tags').fill('music, sales');
  await dialog(page).getByLabel('Assign to teammate').selectOption({ label: 'Arjun Mehta' });
  await dialog(page).getByRole('button', { name: 'Create automation' }).click();
  const flow = page.getByRole('listitem', { name: 'Instruments' });
  await expect(flow).toContainText(
    'When someone starts a conversation and mentions “xylophone” or “drum”: add the tags “music” and “sales” and assign it to Arjun Mehta.',
  );
  await expect(flow.getByRole('switch', { name: 'Instruments' })).toBeChecked();

  const name = `Xenia ${stamp}`;
  const fetchConversation = await writeAsVisitor(page, name, 'Hello, do you sell a xylophone?');
  await expect.poll(fetchConversation).toContain('Yes, in three colours.');

  const notified = async () => {
    const events = (await eventsOf(page)).filter(({ raw_body: body }) => body.includes(name));
    return [...new Set(events.map(({ event }) => event))].sort();
  };
  await expect
    .poll(notified)
    .toEqual(['conversation.assigned', 'conversation.status_changed', 'conversation.tagged']);

  await page.goto('/inbox?status=pending');
  await page.getByRole('link', { name }).first().click();
  const thread = page.getByRole('region', { name: 'Messages' });
  await expect(thread).toContainText('The automation “Instruments” added the tags music, sales');
  await expect(thread).toContainText(
    'The automation “Instruments” assigned this conversation to Arjun Mehta',
  );
  await expect(thread).toContainText('The AI agent changed the status from open to pending');
  const agentAnswers = page.getByRole('switch', { name: 'AI agent answers' });
  await expect(agentAnswers).toBeChecked();
  await agentAnswers.click();
  await expect(page.getByText('Off in this conversation')).toBeVisible();
  await page.reload();
  await expect(agentAnswers).not.toBeChecked();

  await page.goto('/settings/flows');
  await flow.getByRole('switch', { name: 'Instruments' }).click();
  await expect(page.getByText('Instruments is off')).toBeVisible();
  await flow.getByRole('button', { name: 'Delete Instruments' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(flow).toBeHidden();
  await page.goto('/settings/ai-agent');
  const letRefresh = await holdRefresh(page);
  await agentSwitch(page).click();
  await expect(page.getByText('The AI agent is off')).toBeVisible();
  // Turn the agent on again before the page has refreshed.
  await agentSwitch(page).click();
  letRefresh();
  await expect(page.getByText('The AI agent is on')).toBeVisible();
  await page.reload();
  await expect(agentSwitch(page)).toBeChecked();
});

test('a saved answer is deleted and restored, and an error is shown at its field', async ({ page }) => {
  await openSession(page, 'admin@demo.test');
  const question = 'Are you open on Sundays?';
  await addAnswer(page, question, 'No, from Monday to Saturday.');
  const saved = answers(page).getByRole('listitem').filter({ hasText: question });
  await saved.getByRole('button', { name: `Edit: ${question}` }).click();
  await dialog(page).getByLabel('Answer', { exact: true }).fill(' ');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  const field = dialog(page).getByLabel('Answer', { exact: true });
  await expect(field).toHaveAccessibleDescription(/The answer must not be empty/);
  await expect(field).toBeFocused();
  await field.fill('Only in December.');
  await dialog(page).getByLabel('Then set the conversation to').selectOption('solved');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(saved).toContainText('Only in December.');
  await expect(saved).toContainText('Then sets the conversation to solved');
  const rowId = (await saved.getAttribute('aria-labelledby')) ?? '';
  const deleted = await clickOnceShown(page, 'Undo', () =>
    saved.getByRole('button', { name: `Delete: ${question}` }).click(),
  );
  expect(deleted).toContain('Answer deleted');
  // The restored answer is a new row.
  await expect(saved).not.toHaveAttribute('aria-labelledby', rowId);
  await expect(saved).toContainText('Only in December.');

  await page.getByRole('link', { name: 'Test the agent' }).click();
  const log = page.getByRole('log', { name: 'Test conversation' });
  const message = page.getByLabel('Your message as a contact');
  await message.fill('Hi! Are you open on a Sunday?');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(log).toContainText('Only in December.');
  await expect(log).toContainText('Answered. The conversation is now solved.');
  await expect(message).toBeFocused();
  await message.fill('My parcel was wet.');
  await page.keyboard.press('Control+Enter');
  await expect(log).toContainText('No answer.');
  await page.goto('/inbox?status=all');
  await expect(page.getByText('My parcel was wet.')).toHaveCount(0);
});

async function addAnswer(page: Page, question: string, answer: string): Promise<void> {
  await page.goto('/settings/ai-agent');
  await page.getByRole('button', { name: 'Add answer' }).click();
  await dialog(page).getByLabel('Question').fill(question);
  await dialog(page).getByLabel('Answer', { exact: true }).fill(answer);
  await dialog(page).getByRole('button', { name: 'Add answer' }).click();
  await expect(answers(page).getByRole('listitem').filter({ hasText: question })).toContainText(answer);
}

/**
 * Sends a web chat message through the chat API. `web-chat.spec.ts` tests the page itself.
 * @returns a function that fetches the visitor's conversation
 */
async function writeAsVisitor(page: Page, name: string, content: string): Promise<() => Promise<string>> {
  const { workspaceId } = await chatPaths(page);
  const welcome = await page.request.post('/api/chat/visitors', { data: { workspaceId } });
  const headers = { authorization: `Bearer ${(await welcome.json()).token}` };
  const multipart = { id: crypto.randomUUID(), name, content };
  const sent = await page.request.post('/api/chat/messages', { headers, multipart });
  expect(sent.status()).toBe(201);
  return async () => (await page.request.get('/api/chat/conversation', { headers })).text();
}

function dialog(page: Page) {
  return page.getByRole('dialog');
}

function answers(page: Page) {
  return page.getByRole('region', { name: 'Saved answers' });
}

function agentSwitch(page: Page) {
  return page.getByRole('switch', { name: 'Answer contacts' });
}
