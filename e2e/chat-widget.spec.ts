import { expect } from '@playwright/test';
import { chatPaths } from './chat-paths.ts';
import { openSession } from './steps.ts';
import { test } from './test.ts';

// The script that a site embeds, where the site or the network makes it hard.

test('the widget can be closed on a phone while the chat does not load, and loads it when it is opened again', async ({
  page,
  openElsewhere,
}) => {
  await openSession(page, 'owner@demo.test');
  const { chat: path, sample } = await chatPaths(page);
  const visitor = await openElsewhere();
  await visitor.setViewportSize({ width: 390, height: 800 });
  await visitor.goto(sample);
  await visitor.route(`**${path}?in=widget`, (route) => route.abort(), { times: 1 });
  const open = visitor.getByRole('button', { name: 'Open the chat' });
  const close = visitor.getByRole('button', { name: 'Close the chat' });
  await open.click();
  await close.click();
  await open.click();
  const chat = visitor.frameLocator('iframe[title="Chat"]');
  await expect(chat.getByRole('textbox', { name: 'Message' })).toBeFocused();
  await expect(close).toBeHidden();
  await chat.getByRole('button', { name: 'Close the chat' }).click();
  await expect(open).toBeFocused();
});

test('the widget says that the chat has not loaded, and loads it again', async ({ page, openElsewhere }) => {
  await openSession(page, 'owner@demo.test');
  const { chat: path, sample } = await chatPaths(page);
  const visitor = await openElsewhere();
  await visitor.clock.install();
  await visitor.goto(sample);
  await visitor.route(`**${path}?in=widget`, (route) => route.abort(), { times: 2 });
  await visitor.getByRole('button', { name: 'Open the chat' }).click();
  const again = visitor.getByRole('button', { name: 'Try again' });
  for (const attempt of ['first', 'second']) {
    await test.step(`the ${attempt} attempt fails`, async () => {
      await expect(again).toBeHidden();
      await visitor.clock.fastForward(10_000);
      await expect(visitor.getByRole('status')).toHaveText('The chat has not loaded.');
      await again.click();
    });
  }
  const chat = visitor.frameLocator('iframe[title="Chat"]');
  await expect(chat.getByRole('textbox', { name: 'Message' })).toBeFocused();
  await visitor.clock.fastForward(10_000);
  await expect(again).toBeHidden();
});

test('the widget stays on a site that replaces its body, and loads on one that is isolated from other origins', async ({
  page,
  openElsewhere,
}) => {
  await openSession(page, 'owner@demo.test');
  const { sample } = await chatPaths(page);
  const visitor = await openElsewhere();
  await visitor.route(`**${sample}`, async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers(), 'cross-origin-embedder-policy': 'require-corp' };
    await route.fulfill({ response, headers });
  });
  await visitor.goto(sample);
  await visitor.evaluate(() => document.body.replaceWith(document.createElement('body')));
  await visitor.getByRole('button', { name: 'Open the chat' }).click();
  const chat = visitor.frameLocator('iframe[title="Chat"]');
  await expect(chat.getByRole('textbox', { name: 'Message' })).toBeFocused();
  await visitor.evaluate(() => document.body.replaceWith(document.createElement('body')));
  await expect(chat.getByRole('textbox', { name: 'Message' })).toBeFocused();
});
