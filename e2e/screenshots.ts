import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { endToEndAddresses } from '#scripts/start/end-to-end-environment.ts';
import { findChromium } from '#scripts/tools/chromium.ts';

/**
 * `npm run screenshots`: takes the screenshots of the documents from the service started by `npm start`, with the steps of the flows. Run
 * `npm run demo:conversations` before, and wait until the reports count them. E2E_PORT and E2E_PLATFORM_PORT override the ports of
 * `npm start`.
 */
const IMAGES = fileURLToPath(new URL('../docs/images/', import.meta.url));

process.env.E2E_PORT ??= '3000';
process.env.E2E_PLATFORM_PORT ??= '4000';
const { connectOnScreen, openSession, resetPlatform, startConnecting } = await import('./steps.ts');

const browser = await chromium.launch({
  executablePath: await findChromium(console.log),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
const page = await browser.newPage({
  baseURL: endToEndAddresses(process.env).service,
  viewport: { width: 1280, height: 860 },
  colorScheme: 'light',
  reducedMotion: 'reduce',
});
await mkdir(IMAGES, { recursive: true });

await openSession(page, 'owner@demo.test');
await page.goto('/inbox');
await page
  .getByRole('list', { name: 'Conversations' })
  .getByRole('link', { name: /grinder/ })
  .first()
  .click();
await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
await page.getByRole('navigation', { name: 'Status' }).getByText(/\d/).first().waitFor();
await page.waitForLoadState('networkidle');
await page.screenshot({ path: `${IMAGES}inbox.png` });
await page.goto('/reports');
await page.getByRole('heading', { name: 'Reports' }).waitFor();
await page.waitForLoadState('networkidle');
await page.screenshot({ path: `${IMAGES}reports.png` });
await page.context().clearCookies();

await resetPlatform(page);
await startConnecting(page, 'owner@demo.test');
await page.screenshot({ path: `${IMAGES}consent.png` });

await page.context().clearCookies();
await connectOnScreen(page, 'owner@demo.test');
await page.getByRole('button', { name: 'Create and turn on' }).click();
const workflow = page.getByRole('listitem', { name: 'New Conversation → Add Internal Note' });
const form = page.getByRole('form', { name: 'Create Conversation' });
await form.getByLabel('To email').fill('nora@example.com');
await form.getByLabel('To name').fill('Nora Newcomer');
await form.getByLabel('Subject').fill('Your order is on its way');
await form.getByLabel('Content').fill('Hello Nora, your order left us this morning.');
await form.getByRole('button', { name: 'Run' }).click();
const runs = workflow.getByRole('list', { name: 'Last runs' });
await runs.filter({ hasText: 'Succeeded' }).waitFor();
await page.getByRole('list', { name: 'Events' }).locator('summary').first().click();
await page.evaluate(() => scrollTo(0, 0));
await page.screenshot({ path: `${IMAGES}workflow.png` });

await workflow.getByLabel('Respond with').selectOption('500');
await form.getByLabel('To email').fill('otto@example.com');
await form.getByLabel('To name').fill('Otto Order');
await form.getByLabel('Subject').fill('Your order is late');
await form.getByLabel('Content').fill('Hello Otto, your order leaves us tomorrow.');
await form.getByRole('button', { name: 'Run' }).click();
await form.getByRole('status').filter({ hasText: '201 Created' }).waitFor();
await page.goto('/settings/integrations');
const row = page.getByRole('row').filter({ hasText: 'Your order is late' }).first();
await row.filter({ hasText: 'Server error (500)' }).waitFor();
await row.getByRole('link').click();
await page.getByRole('region', { name: 'Attempts' }).waitFor();
await page.getByRole('heading', { name: 'Event log' }).evaluate((heading) => heading.scrollIntoView());
await page.screenshot({ path: `${IMAGES}event-log.png` });

await page.goto('/settings/developers');
await page.getByRole('button', { name: 'Create webhook' }).click();
const webhook = page.getByRole('dialog', { name: 'Create webhook' });
await webhook.getByRole('textbox', { name: 'URL' }).fill('https://hooks.example.com/inbox');
await webhook.getByRole('textbox', { name: 'Description' }).fill('Warehouse');
for (const event of ['conversation.created', 'reply.failed']) {
  await webhook.getByRole('checkbox', { name: event }).check();
}
await webhook.getByRole('button', { name: 'Create webhook' }).click();
await page.getByRole('button', { name: 'Send test event' }).click();
const log = page.getByRole('region', { name: 'Deliveries' });
await log.getByRole('link', { name: /^webhook\.test/ }).click();
await log.getByRole('region', { name: 'Request' }).waitFor();
await page.evaluate(() => scrollTo(0, 0));
await page.screenshot({ path: `${IMAGES}webhook.png` });
await page.getByRole('button', { name: 'Delete webhook' }).click();
await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
await resetPlatform(page);
await browser.close();
