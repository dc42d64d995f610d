import { expect, type Page } from '@playwright/test';
import { expectAccessible, expectAccessibleEverywhere } from './accessible.ts';
import { chatPaths } from './chat-paths.ts';
import {
  AGENT_PATHS,
  CONNECTED_PATHS,
  OWNER_PATHS,
  SIGNED_OUT_PATHS,
  VIEWER_INBOX_PATHS,
  VIEWER_PATHS,
} from './checked-paths.ts';
import { COLOR_SCHEMES } from './color-schemes.ts';
import { linkIn, mailTo } from './mails.ts';
import { solveAndAsk } from './solve-and-ask.ts';
import { connect, goToConsent, goWithin, openSession, resetPlatform, signIn } from './steps.ts';
import { test } from './test.ts';

// axe inspects each page: in light mode with `npm test`, in all appearances with `npm test -- --all`. Other flows do not
// repeat it. `dialogs.spec.ts` is about panels and dialogs.

test.beforeEach(({ page }) => resetPlatform(page));

test('pages without sign-in pass axe', { tag: '@journey' }, async ({ page }) => {
  await page.goto('/sign-in');
  await expectAllAccessible(page, SIGNED_OUT_PATHS);
  await page.goto('/docs');
  await expectAccessibleEverywhere(page);
  await page.goto('/docs/developer');
  await expectAccessibleEverywhere(page);
  await page.goto('/docs#sendReply');
  await expect(page.getByRole('heading', { name: 'Send a reply' })).toBeInViewport();
  await page.setViewportSize(COLOR_SCHEMES[2].viewport);
  await page.getByRole('button', { name: 'Contents' }).click();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Limits', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Limits' })).toBeInViewport();
});

test('pages of a viewer, empty and refused ones too, pass axe', { tag: '@journey' }, async ({ page }) => {
  await openSession(page, 'viewer@demo.test');
  for (const path of VIEWER_INBOX_PATHS) {
    await page.goto(path);
    await expectAccessibleEverywhere(page);
  }
  await page.getByRole('main').getByRole('link', { name: /.+/ }).locator('visible=true').last().click();
  await expect(page.getByRole('article')).toBeVisible();
  await expectAccessibleEverywhere(page);
  await expectAllAccessible(page, VIEWER_PATHS);
});

test('contacts, companies and their forms pass axe for an agent', { tag: '@journey' }, async ({ page }) => {
  await signIn(page, 'agent@demo.test', '/contacts/new');
  await page.getByLabel('Company', { exact: true }).selectOption({ label: 'New company…' });
  await page.getByLabel('Language', { exact: true }).selectOption({ label: 'Another language…' });
  await page.getByRole('button', { name: 'Create contact' }).click();
  await expect(page.getByRole('alert').first()).toBeVisible();
  await expectAccessibleEverywhere(page);
  await goWithin(page, '/contacts?search=priya');
  await page.getByRole('link', { name: 'Priya Raman' }).click();
  await page.getByRole('link', { name: 'Edit' }).waitFor();
  await expectAccessibleEverywhere(page);
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Save' }).waitFor();
  await expectAccessibleEverywhere(page);
  await expectAllAccessible(page, AGENT_PATHS);
  await goWithin(page, '/contacts/companies');
  await page.getByRole('link', { name: 'Brightside Hotels' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Brightside Hotels' })).toBeVisible();
  await expectAccessibleEverywhere(page);
});

test('pages of an owner with a connection pass axe, and settings have one width', {
  tag: '@journey',
}, async ({ page }) => {
  await connect(page, 'owner@demo.test');
  await page.goto('/settings/account');
  await expectAllAccessible(page, [...CONNECTED_PATHS, ...OWNER_PATHS]);
});

test('the consent page and its refusals pass axe', { tag: '@journey' }, async ({ page }) => {
  await page.goto('/oauth/authorize?client_id=somebody');
  await expectAccessibleEverywhere(page);
  for (const teammate of ['agent@demo.test', 'owner@demo.test']) {
    await openSession(page, teammate);
    await goToConsent(page);
    await expectAccessibleEverywhere(page);
  }
});

test('the chat, its survey, ratings and the page that verifies an address pass axe', {
  tag: '@journey',
}, async ({ page, openElsewhere }) => {
  await signIn(page, 'owner@demo.test', '/settings/web-chat');
  const { chat, sample } = await chatPaths(page);
  await expect(page.getByRole('link', { name: 'Open the chat page' })).toHaveAttribute('href', chat);
  const visitor = await openElsewhere();
  await visitor.goto(chat);
  await expect(visitor.getByLabel('Name (optional)')).toBeVisible();
  await expectAccessibleEverywhere(visitor);
  const send = visitor.getByRole('button', { name: 'Send', exact: true });
  await send.click();
  await expect(visitor.getByText('Write a message or add a file.')).toBeVisible();
  await expectAccessibleEverywhere(visitor);
  const text = `A question ${Date.now()}`;
  const email = `vic.${Date.now()}@example.com`;
  await visitor.getByLabel('Email (optional)').fill(email);
  await visitor.getByRole('textbox', { name: 'Message' }).fill(text);
  await send.click();
  await expect(visitor.getByRole('log', { name: 'Conversation' })).toContainText(text);

  await page.goto('/inbox');
  await page
    .getByRole('main')
    .getByRole('link', { name: new RegExp(text) })
    .first()
    .click();
  await page.getByRole('button', { name: 'Send a verification link' }).click();
  await expect(page.getByText(`Verification link sent to ${email}`)).toBeVisible();
  await expectAccessibleEverywhere(page);
  await page.getByRole('button', { name: 'Solve', exact: true }).click();
  await visitor.getByText('Very good', { exact: true }).click();
  await expectAccessibleEverywhere(visitor);
  await visitor.getByRole('button', { name: 'Send rating' }).click();
  await expect(visitor.getByText('Thank you.')).toBeVisible();
  await expectAccessibleEverywhere(visitor);
  await visitor.goto(sample);
  await visitor.getByRole('button', { name: 'Open the chat' }).click();
  await expect(visitor.frameLocator('iframe[title="Chat"]').getByRole('log')).toContainText(text);
  await expectAccessibleEverywhere(visitor);
  await visitor.goto(`/rate/${'A'.repeat(86)}?score=5`);
  await expect(visitor.getByText('This link does not work')).toBeVisible();
  await expectAccessibleEverywhere(visitor);
  await visitor.goto(linkIn(await mailTo(email)));
  await expectAccessibleEverywhere(visitor);
  await visitor.goto(await solveAndAsk(page, `rose.${Date.now()}@example.com`, 5));
  await expect(visitor.locator('[name=score]:checked')).toHaveValue('5');
  await expectAccessibleEverywhere(visitor);
});

test('the current page stays visible in the navigation when entries arrive above it', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page, 'owner@demo.test', '/settings/integrations');
  const navigation = page.getByRole('navigation', { name: 'Main' });
  const current = navigation.getByRole('link', { name: 'Integrations' });
  await expect(current).toHaveAttribute('aria-current', 'page');
  await expect(current).toBeInViewport({ ratio: 1 });
  await navigation.evaluate((nav) => {
    const views = document.createElement('div');
    views.style.height = '600px';
    nav.prepend(views);
  });
  await expect(current).toBeInViewport({ ratio: 1 });
});

/** Inspects pages that are opened within the app, and the width of the settings at 1440 px. */
async function expectAllAccessible(page: Page, paths: string[]): Promise<void> {
  for (const path of paths) {
    await goWithin(page, path);
    await expectAccessibleEverywhere(page);
    if (!path.startsWith('/settings/')) continue;
    const widths = await page.getByRole('heading', { level: 1 }).evaluate(contentWidths);
    expect([path, ...widths]).toEqual([path, 832, 832]);
  }
}

/** Runs in the browser. Returns the widths of a page's header and of the content below it. */
function contentWidths(heading: Element): number[] {
  const header = heading.closest('header');
  return [header, header?.nextElementSibling].map((element) => element?.getBoundingClientRect().width ?? 0);
}
