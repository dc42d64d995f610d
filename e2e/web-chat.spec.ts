import { expect, type FrameLocator, type Page } from '@playwright/test';
import { chatPaths } from './chat-paths.ts';
import { eventsOf } from './connection.ts';
import { holdRequests } from './hold-requests.ts';
import { linkIn, mailTo } from './mails.ts';
import { connect, openSession, resetPlatform } from './steps.ts';
import { test } from './test.ts';

// A visitor writes on a customer's site, a teammate answers in the inbox, the visitor rates.

test.beforeEach(({ page }) => resetPlatform(page));

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

test('a visitor sends a file in the widget, receives the answer live and rates, and the platform receives the events', {
  tag: '@journey',
}, async ({ page, openElsewhere }) => {
  const connection = await connect(page, 'owner@demo.test');
  const events = ['contact.created', 'conversation.created', 'conversation.rated', 'message.received'];
  await connection.turnOn(events);
  const { sample } = await chatPaths(page);

  const visitor = await openVisitor(openElsewhere, sample);
  await visitor.getByRole('button', { name: 'Open the chat' }).click();
  const chat = visitor.frameLocator('iframe[title="Chat"]');
  const name = `Vera ${Date.now()}`;
  await chat.getByLabel('Name (optional)').fill(name);
  await chat.getByLabel('Email (optional)').fill('agent@demo.test');
  await chat.getByRole('textbox', { name: 'Message' }).fill('Where is my parcel? example.com/parcels');
  await chat
    .locator('input[type="file"]')
    .setInputFiles({ name: 'label.png', mimeType: 'image/png', buffer: PNG });
  await chat.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(chat.getByText('This address belongs to the team')).toBeVisible();
  await expect(chat.getByLabel('Email (optional)')).toBeFocused();
  await chat.getByLabel('Email (optional)').fill(`vera.${Date.now()}@example.com`);
  await expect(chat.getByRole('textbox', { name: 'Message' })).toHaveValue(
    'Where is my parcel? example.com/parcels',
  );
  await chat.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(log(chat)).toContainText('Sent');
  await expect(log(chat).getByRole('link', { name: 'example.com/parcels' })).toHaveAttribute(
    'href',
    'https://example.com/parcels',
  );
  await expect(log(chat).getByRole('img', { name: 'label.png' })).toBeVisible();
  await expect(chat.getByLabel('Name (optional)')).toHaveCount(0);

  // Escape closes the widget and returns the focus to its button.
  await chat.getByRole('textbox', { name: 'Message' }).press('Escape');
  await expect(visitor.getByRole('button', { name: 'Open the chat' })).toBeFocused();

  await page.goto('/inbox');
  await page
    .getByRole('main')
    .getByRole('link', { name: new RegExp(name) })
    .first()
    .click();
  const thread = page.getByRole('region', { name: 'Messages' });
  await expect(thread).toContainText('Where is my parcel?');
  const file = page.getByRole('list', { name: 'Files' }).getByRole('link').first();
  const opened = await page.request.get((await file.getAttribute('href')) ?? '');
  expect([opened.status(), opened.headers()['content-type']]).toEqual([200, 'image/png']);

  await page.getByRole('textbox', { name: 'Reply', exact: true }).fill('It arrives tomorrow.');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const unread = visitor.getByRole('button', { name: 'Open the chat, there is a new reply' });
  await expect(unread).toBeVisible();
  await unread.click();
  await expect(log(chat)).toContainText('It arrives tomorrow.');
  await expect(log(chat)).toContainText('Olivia');
  await expect(log(chat)).not.toContainText('Owen');

  const id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(page.url())?.[0] ?? '';
  await page.getByRole('button', { name: 'Solve', exact: true }).click();
  await expect(page.locator(`[data-opened="${id}"]`)).toBeHidden();
  await page.goBack();
  await chat.getByText('Good', { exact: true }).click();
  await chat.getByLabel('Comment (optional)').fill('Quick and friendly');
  await chat.getByRole('button', { name: 'Send rating' }).click();
  await expect(chat.getByText('Thank you. You rated this 4 of 5, good.')).toBeVisible();
  await expect(thread).toContainText('Quick and friendly');

  const received = async () => (await eventsOf(page)).filter(({ raw_body }) => raw_body.includes(name));
  await expect
    .poll(async () => [...new Set((await received()).map(({ event }) => event))].sort())
    .toEqual(events);

  await connection.run('send-reply', { conversation_id: id, content: 'Your workflow says hello.' });
  await expect(log(chat)).toContainText('Your workflow says hello.');
});

test('an anonymous visitor is a contact, and the owner of the address that they give later verifies it', {
  tag: '@journey',
}, async ({ page, openElsewhere }) => {
  await openSession(page, 'owner@demo.test');
  const { chat: path } = await chatPaths(page);
  const email = `victor.${Date.now()}@example.com`;
  const victor = await openVisitor(openElsewhere, path);
  await victor.getByLabel('Email (optional)').fill(email);
  await write(victor, 'I am Victor');

  const visitor = await openVisitor(openElsewhere, path);
  const message = `Nobody knows me ${Date.now()}`;
  await write(visitor, message);
  await page.goto('/inbox');
  const row = page.getByRole('main').getByRole('link', { name: new RegExp(message) });
  await expect(row).toContainText(/Visitor [0-9a-f]{4}/);
  await expect(row).not.toContainText('Address not verified');

  await visitor.getByRole('button', { name: 'Leave your name or email address' }).click();
  await visitor.getByLabel('Email (optional)').fill(email);
  await write(visitor, 'Now you know me');
  await expect(visitor.getByRole('button', { name: 'Leave your name or email address' })).toHaveCount(0);
  const known = page.getByRole('main').getByRole('link', { name: /Now you know me/ });
  await expect(known).toContainText(/Visitor [0-9a-f]{4}.*Address not verified/);
  await known.click();
  const details = page.getByRole('region', { name: 'Contact' });
  await expect(details).toContainText(`Says they are ${email} · not verified`);
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText(
    `gave the email address ${email}, which is not verified`,
  );

  await page.getByRole('button', { name: 'Merge into another conversation' }).click();
  const dialog = page.getByRole('dialog', { name: 'Merge into another conversation' });
  await dialog.getByRole('searchbox', { name: 'Find the conversation' }).fill('I am Victor');
  await expect(
    dialog
      .getByRole('radio', {
        name: /Visitor.*Address not verified.*Reply to each in their own/,
      })
      .first(),
  ).toBeDisabled();
  await page.keyboard.press('Escape');

  await details.getByRole('button', { name: 'Send a verification link' }).click();
  await expect(page.getByText(`Verification link sent to ${email}`)).toBeVisible();
  const owner = await openVisitor(openElsewhere, linkIn(await mailTo(email)));
  await owner.getByRole('button', { name: 'Yes, it was me' }).click();
  await expect(owner.getByText('Address confirmed')).toBeVisible();
  await expect(details).not.toContainText('not verified');
  await expect(details).toContainText(email);

  // The other visitor who gave the address is linked by a teammate, which can be undone.
  await page
    .getByRole('main')
    .getByRole('link', { name: /I am Victor/ })
    .click();
  await details.getByRole('button', { name: `Link to ${email}` }).click();
  await expect(details).toContainText('Linked because the visitor gave this address.');
  await details.getByRole('button', { name: 'Undo link' }).click();
  await expect(details).toContainText(`Says they are ${email} · not verified`);
});

test('the owner of an address confirms it without JavaScript, quick messages keep their order, and none is lost or sent twice', async ({
  page,
  openElsewhere,
  browser,
}) => {
  await test.step('the owner of an address confirms it without JavaScript', async () => {
    await openSession(page, 'owner@demo.test');
    const visitor = await openVisitor(openElsewhere, (await chatPaths(page)).chat);
    const email = `noor.${Date.now()}@example.com`;
    await visitor.getByLabel('Email (optional)').fill(email);
    await write(visitor, `I am ${email}`);
    await page.goto('/inbox');
    const main = page.getByRole('main');
    await main.getByRole('link', { name: new RegExp(`I am ${email}`) }).click();
    await page.getByRole('button', { name: 'Send a verification link' }).click();
    const owner = await browser.newPage({ javaScriptEnabled: false });
    await owner.goto(linkIn(await mailTo(email)));
    await owner.getByRole('button', { name: 'Yes, it was me' }).click();
    await expect(owner.getByText('Address confirmed')).toBeVisible();
    await owner.close();
  });

  await test.step('quick messages keep their order, and a failed one is resent once', async () => {
    const visitor = await openVisitor(openElsewhere, (await chatPaths(page)).chat);
    const register = await holdRequests(visitor, '**/api/chat/visitors');
    await write(visitor, 'Hello');
    await write(visitor, 'It is me');
    register();
    await expect(log(visitor)).not.toContainText('Sending');
    const messages = '**/api/chat/messages';
    await visitor.route(messages, (route) => route.abort(), { times: 1 });
    await write(visitor, 'Are you there?');
    await expect(log(visitor)).toContainText('Not sent. You seem to be offline.');
    await visitor.getByRole('button', { name: 'Send again' }).click();
    await expect(log(visitor)).not.toContainText('Not sent');

    // The service stores the message but its response is lost: the page still receives the message live.
    await visitor.route(
      messages,
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await write(visitor, 'Once more');
    await expect(log(visitor)).not.toContainText(/Not sent|Sending/);
    await visitor.reload();
    await expect(log(visitor)).toContainText(/Hello.*It is me.*Are you there\?.*Once more/s);
    for (const text of ['Hello', 'It is me', 'Are you there?', 'Once more']) {
      await expect(log(visitor).getByText(text, { exact: true })).toHaveCount(1);
    }
  });

  await test.step('a message that is refused when it is sent again returns to the form', async () => {
    const visitor = await openVisitor(openElsewhere, (await chatPaths(page)).chat);
    await visitor.getByLabel('Email (optional)').fill('no address');
    await visitor.route('**/api/chat/**', (route) => route.abort(), { times: 2 });
    await write(visitor, 'Please call me');
    await write(visitor, 'It is urgent');
    await expect(log(visitor).getByRole('button', { name: 'Send again' })).toHaveCount(2);
    await visitor.getByRole('textbox', { name: 'Message' }).fill('My number is 4711');
    await visitor.getByRole('button', { name: 'Send again' }).first().click();
    await expect(visitor.getByRole('textbox', { name: 'Message' })).toHaveValue(
      'Please call me\nMy number is 4711',
    );
    await expect(visitor.getByLabel('Email (optional)')).toHaveValue('no address');
    await expect(visitor.getByLabel('Email (optional)')).toBeFocused();
    await expect(log(visitor)).toContainText('It is urgent');
  });
});

test('an unknown chat is not found, and other sites can frame only the chat', async ({ page }) => {
  const nowhere = '/chat/01a00000-0000-7000-8000-000000000000';
  const response = await page.goto(nowhere);
  expect(response?.status()).toBe(404);
  await expect(page.getByText('There is no chat at this address')).toBeVisible();
  await openSession(page, 'owner@demo.test');
  const { chat, sample } = await chatPaths(page);
  const framedBy = async (path: string) => {
    // A request may meet the end of a connection that was idle for as long as the service keeps it.
    const headers = (await page.request.get(path, { maxRetries: 1 })).headers();
    return [
      /frame-ancestors [^;]+/.exec(headers['content-security-policy'] ?? '')?.[0],
      headers['x-frame-options'],
    ];
  };
  expect(await framedBy(chat)).toEqual(['frame-ancestors *', undefined]);
  for (const path of ['/inbox', '/sign-in', sample, `${chat}/`, `${chat}/../../inbox`]) {
    const [ancestors, option] = await framedBy(path);
    expect([path, ancestors, option]).toEqual([
      path,
      path === `${chat}/` ? 'frame-ancestors *' : "frame-ancestors 'none'",
      path === `${chat}/` ? undefined : 'DENY',
    ]);
  }
  const widget = await page.request.get('/widget.js');
  const again = await page.request.get('/widget.js', {
    headers: { 'if-none-match': widget.headers().etag ?? '' },
  });
  expect([widget.status(), again.status()]).toEqual([200, 304]);
});

/** Opens a page as a new visitor. */
async function openVisitor(openElsewhere: () => Promise<Page>, path: string): Promise<Page> {
  const page = await openElsewhere();
  await page.goto(path);
  return page;
}

async function write(chat: Page | FrameLocator, content: string): Promise<void> {
  await chat.getByRole('textbox', { name: 'Message' }).fill(content);
  await chat.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(log(chat)).toContainText(content);
}

function log(chat: Page | FrameLocator) {
  return chat.getByRole('log', { name: 'Conversation' });
}
