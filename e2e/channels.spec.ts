import { type Browser, expect, type Page } from '@playwright/test';
import { type Connection, eventsOf } from './connection.ts';
import { accountOf, control } from './control-providers.ts';
import { PROVIDERS_URL, sentMailTo } from './mails.ts';
import { connect, resetPlatform } from './steps.ts';
import { test } from './test.ts';

// On each channel: a contact writes at the provider stand-in, a teammate answers in the inbox, the platform replies
// through the API and receives the contact's message as an event. All flows share one sign-in and one open inbox.

/** Channels whose accounts are connected to the stand-in, except for the one that is used on screen. */
const OTHER_CHANNELS = ['instagram', 'messenger', 'telegram', 'slack'] as const;

let page: Page;
/** The provider stand-in's page, in its own tab. */
let outside: Page;
let connection: Connection;

test.describe.configure({ mode: 'serial' });

test.beforeAll(({ browser }) => openPages(browser));
test.afterAll(() => page.context().close());

test('whatsapp: a contact sends a file, a teammate and a workflow answer, and the platform receives the event', {
  tag: '@journey',
}, async () => {
  const account = await accountOf(page, 'whatsapp');
  const stamp = Date.now();
  const question = `Where is my parcel ${stamp}`;
  const [byTeammate, byWorkflow] = [`It arrives tomorrow. ${stamp}`, `Your workflow says hello. ${stamp}`];
  await writeOnPage(`Zoe ${stamp}`, account, question);
  const id = await openConversation(question);
  await expect(page.getByRole('list', { name: 'Files' }).getByRole('link').first()).toBeVisible();
  await replyInInbox(byTeammate);
  await replyThroughApi(id, byWorkflow);
  await expectEvent('message.received', question);
  await expectReplied(byTeammate);
  await expectReplied(byWorkflow);
  await replyWithFile('route.png');
  await expectInChats(account, byTeammate, byWorkflow, 'route.png');
  for (const text of [byTeammate, byWorkflow]) await expect(chat()).toContainText(text);
});

test('on each other channel a contact’s file and text arrive once, and a workflow’s answer reaches the chat', async () => {
  for (const channel of OTHER_CHANNELS) {
    await test.step(channel, async () => {
      const account = await accountOf(page, channel);
      const stamp = Date.now();
      const [question, answer] = [`Where is my parcel ${stamp}`, `Your workflow says hello. ${stamp}`];
      // Each update is sent three times.
      await control(page, 'PATCH', `/accounts/${account}/switches`, { times: 3 });
      await writeByApi(`Zoe ${channel} ${stamp}`, account, question);
      await control(page, 'PATCH', `/accounts/${account}/switches`, { times: 1 });
      await expectEvent('message.received', question);
      const { raw_body } = (await eventsOf(page)).find(({ raw_body }) => raw_body.includes(question)) ?? {};
      await replyThroughApi(JSON.parse(raw_body ?? '{}').conversation.id, answer);
      await expectInChats(account, answer);
    });
  }
});

test('email: a teammate and a workflow answer a contact, and the contact’s answer arrives in the same thread', {
  tag: '@journey',
}, async () => {
  const stamp = Date.now();
  const address = `vera.${stamp}@contacts.example`;
  const question = `Which size fits ${stamp}`;
  await outside.goto(`${PROVIDERS_URL}/mail?mail=new`);
  await outside.getByLabel('Your name').fill('Vera Valdez');
  await outside.getByLabel('Your address').fill(address);
  await outside.getByLabel('To', { exact: true }).fill('support@growth.demo.test');
  const [bob, carol] = [`bob.${stamp}@contacts.example`, `carol.${stamp}@contacts.example`];
  await outside.getByLabel('Cc', { exact: true }).fill(`${bob}, ${carol}`);
  await outside.getByLabel('Subject').fill(`Sizes ${stamp}`);
  await outside.getByLabel('Message', { exact: true }).fill(question);
  await outside.getByLabel('Files').setInputFiles({ name: 'foot.png', mimeType: 'image/png', buffer: PNG });
  await outside.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(outside.getByText('The service accepted the mail.')).toBeVisible();

  const id = await openConversation(question);
  await expect(page.getByRole('list', { name: 'Files' }).getByRole('link').first()).toBeVisible();
  await expect(thread()).toContainText(`Cc ${bob}, ${carol}`);
  await page.getByRole('button', { name: `Remove ${carol} from Cc` }).click();
  await page.getByRole('button', { name: 'Bcc', exact: true }).click();
  await page.getByRole('textbox', { name: 'Bcc' }).fill(`boss.${stamp}@contacts.example`);
  await replyInInbox('Take the larger one.');
  await expectReplied('Take the larger one.');
  const answer = await sentMailTo(address);
  expect(answer.text).toContain('Take the larger one.');
  expect(answer.cc.map((each) => each.address)).toEqual([bob]);
  await expect(thread()).toContainText(`Bcc boss.${stamp}@contacts.example`);

  await outside.goto(`${PROVIDERS_URL}/mail?mail=${answer.id}`);
  const thanks = `Thank you ${stamp}`;
  await outside.getByLabel(`Reply as ${address}`).fill(thanks);
  await outside.getByRole('button', { name: 'Reply', exact: true }).click();
  await expect(outside.getByText('The service accepted the mail.')).toBeVisible();
  expect(await openConversation(thanks)).toBe(id);
  await expect(thread().getByText(thanks)).toHaveCount(1);

  await replyThroughApi(id, 'Your workflow says goodbye.');
  const goodbye = await sentMailTo(address, 1);
  expect(goodbye.text).toContain('Your workflow says goodbye.');
  await expectEvent('message.received', question);
  await expectEvent('message.received', thanks);
});

/** Sends a message on the stand-in's page as a contact with this name. */
async function writeOnPage(name: string, account: string, text: string): Promise<void> {
  await outside.goto(`${PROVIDERS_URL}/?account=${encodeURIComponent(account)}`);
  await outside.getByLabel('As', { exact: true }).fill(name);
  await outside.getByLabel('Message', { exact: true }).fill(text);
  await outside.getByLabel('Files').setInputFiles({ name: 'label.png', mimeType: 'image/png', buffer: PNG });
  await outside.getByRole('button', { name: 'Send as contact' }).click();
  await expect(chat()).toContainText(text);
}

/** Sends a message through the stand-in's control API. */
async function writeByApi(name: string, account: string, text: string): Promise<void> {
  const file = { name: 'label.png', type: 'image/png', base64: PNG.toString('base64') };
  await control(page, 'POST', `/accounts/${account}/messages`, { from: name, text, files: [file] });
}

/** Opens the conversation with this text from the list and returns its id. `shown`: text of its row. */
async function openConversation(text: string, shown = text): Promise<string> {
  const row = page.getByRole('main').getByRole('link', { name: new RegExp(shown) });
  await row.first().click();
  await expect(thread()).toContainText(text);
  return new URL(page.url()).searchParams.get('selected') ?? '';
}

/** Replies with a file and no text. */
async function replyWithFile(name: string): Promise<void> {
  await page.setInputFiles('input[type=file]', { name, mimeType: 'image/png', buffer: PNG });
  await expect(page.getByRole('list', { name: 'Files to send' })).toContainText(name);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(thread().getByRole('link', { name: new RegExp(name) })).toBeVisible();
}

/** Replies in the inbox, and waits until the server has accepted the reply. */
async function replyInInbox(text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Reply', exact: true }).fill(text);
  const accepted = page.waitForResponse(
    (response) => response.request().method() === 'POST' && !!response.request().postData()?.includes(text),
  );
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await accepted;
}

/** Waits until the reply has left its undo window. */
async function expectReplied(text: string): Promise<void> {
  await expect(thread()).toContainText(text);
}

/** Replies through the platform, like a workflow. */
async function replyThroughApi(id: string, content: string): Promise<void> {
  await connection.run('send-reply', { conversation_id: id, content });
}

/** Expects texts in an account's chats at the provider. */
async function expectInChats(account: string, ...texts: string[]): Promise<void> {
  const missing = async () => {
    const chats = JSON.stringify(await control(page, 'GET', `/accounts/${account}/chats`));
    return texts.filter((text) => !chats.includes(text));
  };
  await expect.poll(missing).toEqual([]);
}

/** Expects exactly one event of this kind with the text. */
async function expectEvent(key: string, text: string): Promise<void> {
  const count = async () =>
    (await eventsOf(page)).filter(({ event, raw_body }) => event === key && raw_body.includes(text)).length;
  await expect.poll(count).toBe(1);
}

function chat() {
  return outside.getByRole('log', { name: 'Messages' });
}

function thread() {
  return page.getByRole('region', { name: 'Messages' });
}

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** Signs in, connects the platform and opens the inbox. */
async function openPages(browser: Browser): Promise<void> {
  const context = await browser.newContext();
  page = await context.newPage();
  outside = await context.newPage();
  await resetPlatform(page);
  connection = await connect(page, 'owner@demo.test');
  await connection.turnOn(['message.received']);
  await page.goto('/inbox');
}
