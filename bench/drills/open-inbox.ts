import { chromium, expect, type Page } from '@playwright/test';
import { findChromium } from '#scripts/tools/chromium.ts';
import { describeError } from '#server/core/user-error.ts';
import { PASSWORD } from '#test/clients/sign-in.ts';

/** An inbox that stays open in a browser during a drill. */
export type OpenInbox = {
  /** Opens conversations, the command menu and another page. Adds what failed to `problems`. */
  use(when: string): Promise<void>;
  /** Errors that the teammate saw, and the number of links that loaded a whole page. */
  problems: string[];
  reloads(): number;
  close(): Promise<void>;
};

const ACT_MS = 20_000;
const SHOWN_MAX = 120;

/** Signs a teammate in and opens their inbox. */
export async function openInbox(url: string, email: string): Promise<OpenInbox> {
  const browser = await chromium.launch({
    executablePath: await findChromium(console.log),
    args: ['--no-sandbox'],
  });
  const page = await browser.newPage();
  page.setDefaultTimeout(ACT_MS);
  const problems: string[] = [];
  let documents = 0;
  page.on('response', (response) => {
    if (response.request().isNavigationRequest()) documents += 1;
    if (response.status() >= 500)
      problems.push(`${response.status()} of ${new URL(response.url()).pathname}`);
  });
  page.on('pageerror', ({ message }) => problems.push(`error on the page: ${message}`));
  await page.goto(`${url}/sign-in`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/inbox**');
  await page.locator('[data-conversation]').first().waitFor();
  const opened = documents;
  let used = 0;
  return {
    problems,
    reloads: () => documents - opened,
    use: async (when) => {
      used += 1;
      for (const [act, run] of Object.entries(ACTS)) {
        try {
          await run(page, used);
        } catch (error) {
          const [message] = describeError(error).split('\n');
          problems.push(`${when}: could not ${act} (${message}) on ${await describePage(page)}`);
        }
      }
    },
    close: () => browser.close(),
  };
}

/** Returns where the page is, and the first words that it shows. */
async function describePage(page: Page): Promise<string> {
  const text = await page
    .locator('main')
    .first()
    .textContent({ timeout: 1_000 })
    .catch(() => null);
  const words = (text ?? 'no main part').replaceAll(/\s+/g, ' ').trim().slice(0, SHOWN_MAX);
  const { pathname, search } = new URL(page.url());
  return `${pathname}${search} with "${words}"`;
}

const ACTS: Record<string, (page: Page, n: number) => Promise<void>> = {
  'open a conversation': async (page, n) => {
    const list = page.locator('[data-conversation-list]');
    const id = await list.locator('[data-conversation]').nth(n).getAttribute('data-conversation');
    // Found by id, because new messages reorder the list.
    await list.locator(`[data-conversation="${id}"]`).click();
    await page.locator(`[data-opened="${id}"] [aria-label="Messages"]`).waitFor();
  },
  'add a note': async (page, n) => {
    const field = page.getByRole('textbox', { name: 'Note', exact: true });
    // A page that was just loaded ignores keys until its handlers are attached.
    await expect(async () => {
      await page.keyboard.press('n');
      await expect(field).toBeFocused({ timeout: 1_000 });
    }).toPass({ timeout: ACT_MS });
    await field.fill(`Note ${n} of an open page`);
    await page.keyboard.press('Control+Enter');
    await page.getByText(`Note ${n} of an open page`).last().waitFor();
  },
  'use the command menu': async (page) => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.locator('[data-command-menu]').waitFor();
    await page.keyboard.press('Escape');
  },
  'open the contacts and come back': async (page) => {
    await page.getByRole('link', { name: 'Contacts', exact: true }).first().click();
    await page.waitForURL('**/contacts**');
    await page.getByRole('heading', { name: 'Contacts' }).first().waitFor();
    await page.goBack();
    await page.locator('[data-conversation]').first().waitFor();
  },
};
