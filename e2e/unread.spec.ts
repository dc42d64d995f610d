import { expect, type Page } from '@playwright/test';
import { accountOf, control } from './control-providers.ts';
import { holdRequests } from './hold-requests.ts';
import { connect, resetPlatform, signIn } from './steps.ts';
import { test } from './test.ts';

// Each teammate sees what is new for them: in the list, in the tab, and on the desktop.

const row = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Conversations' }).getByRole('link', { name });

test('a conversation is unread for each teammate until they open it, and can be marked as unread', {
  tag: '@journey',
}, async ({ page, openElsewhere }) => {
  const name = `Una ${Date.now()}`;
  await signIn(page, 'owner@demo.test');
  const other = await openElsewhere();
  await signIn(other, 'agent@demo.test');
  const account = await accountOf(page, 'whatsapp');
  await control(page, 'POST', `/accounts/${account}/messages`, { from: name, text: 'Any news?' });
  for (const each of [page, other]) await expect(row(each, `Unread: ${name}`)).toBeVisible();
  await expect(
    row(page, name).getByRole('img', { name: 'Waiting for a reply from your team' }),
  ).toBeVisible();

  await row(page, name).click();
  await expect(row(page, `Unread: ${name}`)).toHaveCount(0);
  await page.reload();
  await expect(row(page, name)).toBeVisible();
  await expect(row(page, `Unread: ${name}`)).toHaveCount(0);
  await expect(row(other, `Unread: ${name}`)).toBeVisible();

  await page.keyboard.press('u');
  await expect(page.locator('[data-opened]')).toHaveCount(0);
  await expect(row(page, `Unread: ${name}`)).toBeVisible();
  await openFromPreviousList(page, name);
  await expect(page.locator('[data-opened]')).toBeVisible();
  await expect(page).toHaveURL(/unread=yes/);
  await expect(row(page, `Unread: ${name}`)).toHaveCount(0);
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(page.getByText('Nothing unread')).toBeVisible();
  await expect(row(other, `Unread: ${name}`)).toBeVisible();
});

test('a conversation that is left within a second stays unread', async ({ browser }) => {
  // A separate context, because a faked clock stays on a page.
  const page = await (await browser.newContext()).newPage();
  await page.clock.install();
  await signIn(page, 'owner@demo.test');
  const [left, seen] = [`Lea ${Date.now()}`, `Sia ${Date.now()}`];
  const account = await accountOf(page, 'whatsapp');
  for (const from of [left, seen]) {
    await control(page, 'POST', `/accounts/${account}/messages`, { from, text: `I am ${from}` });
    await expect(row(page, `Unread: ${from}`)).toBeVisible();
  }
  await page.clock.pauseAt(Date.now() + 60_000);
  const thread = page.getByRole('region', { name: 'Messages' });
  await row(page, left).click();
  await letPass(page, 10, () => thread.getByText(`I am ${left}`).isVisible());
  await page.clock.runFor(500);
  await row(page, seen).click();
  await letPass(page, 100, async () => (await row(page, `Unread: ${seen}`).count()) === 0);
  // Changes are saved in order, so the first conversation would be read by now.
  await page.clock.resume();
  await page.reload();
  await expect(row(page, seen)).toBeVisible();
  await expect(row(page, `Unread: ${seen}`)).toHaveCount(0);
  await expect(row(page, `Unread: ${left}`)).toBeVisible();
  await page.context().close();
});

test('a teammate turns notifications on, and one of their tabs announces a new one', async ({
  browser,
  openElsewhere,
}) => {
  const context = await browser.newContext();
  await context.addInitScript(recordNotifications);
  const page = await context.newPage();
  await resetPlatform(page);
  await signIn(page, 'agent@demo.test', '/settings/notifications');
  const state = page.getByRole('region', { name: 'This browser' });
  await expect(state).toContainText('Desktop notifications are off in this browser');
  await state.getByRole('button', { name: 'Turn on desktop notifications' }).click();
  await expect(state).toContainText('This browser shows desktop notifications');
  const byEmail = page.getByRole('checkbox', { name: 'A contact replies in your conversation: Email' });
  const wasByEmail = await byEmail.isChecked();
  const bySound = page.getByRole('checkbox', { name: 'A conversation is assigned to you: Sound' });
  await expect(bySound).not.toBeChecked();
  await byEmail.click();
  await bySound.check();
  await page.getByRole('button', { name: 'Save notifications' }).click();
  await expect(page.getByText('Notifications saved')).toBeVisible();
  await page.reload();
  await expect(byEmail).toBeChecked({ checked: !wasByEmail });
  await expect(bySound).toBeChecked();

  const second = await context.newPage();
  await second.goto('/contacts');
  for (const tab of [page, second]) await leadOrFollow(tab);
  const subject = await assignToAgent(await openElsewhere(), page);
  for (const tab of [page, second]) {
    const label = await tab.getByRole('button', { name: /^Notifications, / }).getAttribute('aria-label');
    const unread = /\d+/.exec(label ?? '')?.[0];
    await expect(tab).toHaveTitle(new RegExp(`^\\(${unread}\\) `));
    await expect.poll(() => iconsOf(tab)).toEqual([expect.stringMatching(/^data:image\/png/)]);
  }
  const sentence = expect.stringContaining(`assigned “${subject}”`);
  await expect.poll(() => announced(subject, [page, second])).toEqual([sentence]);
  expect(await soundsOf([page, second])).toBe(1);

  await second.getByRole('button', { name: /^Notifications, / }).click();
  // Only what the list shows is marked, and it may have been loaded before the newest one arrived.
  await expect(second.getByRole('dialog', { name: 'Notifications' })).toContainText(subject);
  await second.getByRole('button', { name: 'Mark all as read' }).click();
  for (const tab of [page, second]) {
    await expect(tab).not.toHaveTitle(/^\(/);
    await expect.poll(() => iconsOf(tab)).toEqual([expect.stringMatching(/\/icon\.svg/)]);
  }
  await byEmail.click();
  await bySound.uncheck();
  await page.getByRole('button', { name: 'Save notifications' }).click();
  await expect(page.getByText('Notifications saved')).toBeVisible();
  await context.close();
});

test('a notification that the announcing tab has not heard of is announced when another tab takes over', async ({
  browser,
  openElsewhere,
}) => {
  const context = await browser.newContext();
  await context.addInitScript(recordNotifications, 'granted');
  const follower = await context.newPage();
  await signIn(follower, 'agent@demo.test', '/contacts');
  const leader = await context.newPage();
  const release = await holdRequests(leader, /\/live\?/);
  await leader.goto('/contacts');
  for (const tab of [follower, leader]) await leadOrFollow(tab);
  const subject = await assignToAgent(await openElsewhere(), follower);
  const next = await context.newPage();
  await next.goto('/contacts');
  await expect.poll(() => announced(subject, [follower, leader, next])).toHaveLength(1);
  // The teammate did not turn sound on.
  expect(await soundsOf([follower, leader, next])).toBe(0);
  release();
  await context.close();
});

/** Chooses the view Unread and opens a conversation while the rows of the previous view are still shown. */
async function openFromPreviousList(page: Page, name: string): Promise<void> {
  const release = await holdRequests(page, /\/api\/screens\/[^?]*inbox\.list/);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Unread' }).click();
  await expect(page).toHaveURL(/unread=yes/);
  await row(page, `Unread: ${name}`).click();
  release();
}

/**
 * Records sounds, and notifications instead of showing them, as if the teammate used another program. Headless browsers deny the
 * permission.
 */
function recordNotifications(permission = 'default'): void {
  const recorded: string[] = [];
  const sounds: string[] = [];
  class RecordedNotification {
    static get permission(): string {
      return localStorage.getItem('permission') ?? permission;
    }
    static async requestPermission(): Promise<string> {
      localStorage.setItem('permission', 'granted');
      return 'granted';
    }
    constructor(_title: string, { body = '' }: NotificationOptions = {}) {
      recorded.push(body);
    }
  }
  class RecordedAudioContext extends AudioContext {
    constructor() {
      super();
      sounds.push('sound');
    }
  }
  Object.assign(window, {
    Notification: RecordedNotification,
    AudioContext: RecordedAudioContext,
    recorded,
    sounds,
  });
  document.hasFocus = () => false;
}

/** Waits until a tab has loaded its announcements, which a page does when it is idle. */
async function leadOrFollow(tab: Page): Promise<void> {
  await expect
    .poll(() =>
      tab.evaluate(() =>
        navigator.locks.request(crypto.randomUUID(), async (own) => {
          const { held = [], pending = [] } = await navigator.locks.query();
          const thisTab = held.find(({ name }) => name === own?.name)?.clientId;
          return [...held, ...pending].some(
            ({ name, clientId }) => name?.startsWith('notifications:') && clientId === thisTab,
          );
        }),
      ),
    )
    .toBe(true);
}

async function announced(subject: string, tabs: Page[]): Promise<string[]> {
  const recorded = await Promise.all(
    tabs.map((tab) => tab.evaluate(() => (window as unknown as { recorded: string[] }).recorded)),
  );
  return recorded.flat().filter((sentence) => sentence.includes(subject));
}

/** Returns how many sounds the tabs played. */
async function soundsOf(tabs: Page[]): Promise<number> {
  const sounds = await Promise.all(
    tabs.map((tab) => tab.evaluate(() => (window as unknown as { sounds: string[] }).sounds.length)),
  );
  return sounds.reduce((sum, count) => sum + count, 0);
}

/** Returns the different URLs of the tab's icons. A browser chooses one of several links. */
async function iconsOf(tab: Page): Promise<string[]> {
  const links = tab.locator('link[rel="icon"]');
  return [...new Set(await links.evaluateAll((all) => all.map((link) => (link as HTMLLinkElement).href)))];
}

/** Moves the page's paused clock in steps, until `isDone`. */
async function letPass(page: Page, stepMs: number, isDone: () => Promise<boolean>): Promise<void> {
  const step = async () => {
    await page.clock.runFor(stepMs);
    return isDone();
  };
  await expect.poll(step).toBe(true);
}

/** Assigns a conversation to the agent, and waits until their tab shows its notification. Returns the subject. */
async function assignToAgent(elsewhere: Page, tab: Page): Promise<string> {
  const subject = `Parcel ${Date.now()}`;
  const shown = tab.waitForResponse(
    async (response) =>
      response.url().includes('notifications.list') &&
      // Chromium no longer has the body of a response that the page gave up.
      (await response.text().catch(() => '')).includes(subject),
  );
  const connection = await connect(elsewhere, 'owner@demo.test');
  const { id } = await connection.run('create-conversation', {
    to_email: `nia.${Date.now()}@example.com`,
    subject,
    content: 'Your parcel has left.',
  });
  const assignee = await connection.teammate('Arjun Mehta');
  await connection.run('update-conversation', { conversation_id: id, assignee_id: assignee });
  await shown;
  return subject;
}
