import { expect, type Page } from '@playwright/test';
import { clickOnceShown } from './click-once-shown.ts';
import {
  box,
  button,
  openConversation,
  openOf,
  option,
  startConversation,
  thread,
  waiting,
} from './composer.ts';
import { accountOf, control } from './control-providers.ts';
import { holdRequests } from './hold-requests.ts';
import { fillInSignIn, resetPlatform, signIn } from './steps.ts';
import { test } from './test.ts';

// A teammate replies to a contact and writes notes to the team.

test.beforeEach(({ page }) => resetPlatform(page));

test('a reply is undone within seconds, edited, sent after its undo window, and solves its conversation when it is asked to', {
  tag: '@journey',
}, async ({ page }) => {
  await test.step('a reply is undone within seconds, edited, and sent after its undo window', async () => {
    await openConversation(page);
    await expect(page.getByText('Email to Nora Newcomer, as Olivia Owen')).toBeVisible();
    await box(page, 'Reply').fill('Hello Nora');
    const pending = await clickOnceShown(page, 'Undo', () => button(page, 'Send').click());
    expect(pending).toContain('Hello Nora');
    expect(pending).toMatch(/Sending in [1-5] s/);
    await expect(box(page, 'Reply')).toHaveValue('Hello Nora');
    await expect(box(page, 'Reply')).toBeFocused();
    await expect(waiting(page)).toBeHidden();

    await page.keyboard.type(', it arrives tomorrow.');
    const watch = await page.evaluateHandle(watchForBoth, 'it arrives tomorrow');
    await page.keyboard.press('Control+Enter');
    await expect(waiting(page)).toContainText('it arrives tomorrow');
    await expect(thread(page)).toBeFocused();
    await expect(thread(page)).toContainText('Hello Nora, it arrives tomorrow.');
    await expect(waiting(page)).toBeHidden();
    expect(await watch.jsonValue()).toEqual({ areShown: false });
    await page.keyboard.press('r');
    await page.keyboard.type('A draft');
    await page.keyboard.press('Escape');
    await expect(box(page, 'Reply')).toHaveValue('A draft');
    await page.keyboard.press('n');
    await page.keyboard.type('For the team');
    await expect(box(page, 'Note')).toHaveValue('For the team');
    await box(page, 'Note').fill('');
    await page.keyboard.press('Escape');
    await page.keyboard.press('r');
    await expect(box(page, 'Reply')).toHaveValue('A draft');
    await box(page, 'Reply').fill('');
    await page.reload();
    await expect(thread(page).getByText('Hello Nora')).toHaveCount(1);
    await expect(box(page, 'Reply')).toHaveValue('');
  });

  await test.step('a reply solves its conversation once it is sent, but not when it is undone', async () => {
    await box(page, 'Reply').fill('All done, Nora.');
    const opened = page.locator('[data-opened]');
    const id = (await opened.getAttribute('data-opened')) ?? '';
    const pending = await clickOnceShown(page, 'Undo', () => button(page, 'Send and solve').click());
    expect(pending).toMatch(/Sending.*then solving/);
    await expect(opened).toHaveAttribute('data-opened', id);
    await expect(box(page, 'Reply')).toHaveValue('All done, Nora.');
    await expect(box(page, 'Reply')).toBeFocused();
    await expect(button(page, 'Solve')).toBeVisible();
    await box(page, 'Reply').press('Control+Alt+Enter');
    await expect(opened).not.toHaveAttribute('data-opened', id);
    await page.goBack();
    await expect(opened).toHaveAttribute('data-opened', id);
    await expect(thread(page)).toContainText('All done, Nora.');
    await expect(thread(page)).toContainText('Olivia Owen changed the status from open to solved');
    await expect(button(page, 'Send and solve')).toBeHidden();
    await expect(button(page, 'Send')).toBeVisible();
  });
});

test('a reply is shown once and sent without delay, even if the page learns late about it, or waits for suggestions', async ({
  page,
}) => {
  await test.step('a reply is shown once, even if the page learns late that it was scheduled', async () => {
    await openConversation(page);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/composer.reply', async (route) => {
      const response = await route.fetch();
      await released;
      await route.fulfill({ response });
    });
    const watch = await page.evaluateHandle(watchForBoth, 'Late, but once.');
    await box(page, 'Reply').fill('Late, but once.');
    await button(page, 'Send').click();
    await expect(thread(page)).toContainText('Late, but once.');
    await expect(waiting(page)).toBeHidden();
    release();
    expect(await watch.jsonValue()).toEqual({ areShown: false });
  });

  await test.step('a pending suggestion request does not delay a reply', async () => {
    await page.unrouteAll();
    const suggestions = /\/api\/screens\/[^?]*conversations\.tags/;
    const release = await holdRequests(page, suggestions);
    const requested = page.waitForRequest(suggestions);
    await button(page, 'Add tag').click();
    await requested;
    await box(page, 'Reply').fill('Sent all the same.');
    await button(page, 'Send').click();
    await expect(thread(page)).toContainText('Sent all the same.');
    release();
  });
});

test('a note mentions a teammate, who is notified', { tag: '@journey' }, async ({ page, openElsewhere }) => {
  await openConversation(page);
  await page.getByRole('tab', { name: 'Note' }).click();
  await expect(box(page, 'Note')).toBeFocused();
  await page.keyboard.type('Please look, @meh');
  await expect(option(page, /Arjun Mehta/)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(box(page, 'Note')).toHaveValue('Please look, @Arjun Mehta ');
  await page.keyboard.type('and @adm');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('listbox', { name: 'Teammates' })).toBeHidden();
  await page.keyboard.type('ire');
  await button(page, 'Add note').click();
  await expect(thread(page)).toContainText('Please look, @Arjun Mehta and @admire');
  await expect(thread(page).locator('mark')).toHaveText(['@Arjun Mehta']);
  await expect(box(page, 'Note')).toHaveValue('');

  await test.step('addresses in messages are links, and the attacker cannot link a script', async () => {
    await box(page, 'Note').fill(
      'See https://example.com/a?b=1, ask ada@example.com, not javascript:alert(1)',
    );
    await button(page, 'Add note').click();
    const note = thread(page).getByText('not javascript:alert(1)');
    await expect(note.getByRole('link')).toHaveText(['https://example.com/a?b=1', 'ada@example.com']);
    await expect(note.getByRole('link').first()).toHaveAttribute('rel', 'noopener noreferrer nofollow ugc');
    await expect(note.getByRole('link').last()).toHaveAttribute('href', 'mailto:ada@example.com');
  });

  const arjun = await openOf(openElsewhere, 'agent@demo.test', '/contacts');
  await arjun
    .getByRole('button', { name: /^Notifications/ })
    .locator('visible=true')
    .click();
  const first = arjun.getByRole('dialog', { name: 'Notifications' }).getByRole('listitem').first();
  await expect(first).toContainText('Olivia Owen mentioned you in a note');
});

test('drafts are removed from every tab at sign-out, and the next user sees only the reply, which the team shares', async ({
  page,
  context,
}) => {
  const { inbox } = await openConversation(page);
  const drafts = () =>
    page.evaluate(() => Object.keys(localStorage).filter((key) => /^draft:.*:(?:reply|note)$/.test(key)));
  await box(page, 'Reply').fill('Stored by this tab');
  // Drafts are stored after a pause in typing.
  await expect.poll(drafts).toHaveLength(1);
  const other = await context.newPage();
  await other.goto(inbox);
  await expect(box(other, 'Reply')).toHaveValue('Stored by this tab');
  await other.getByRole('tab', { name: 'Note' }).click();
  await box(other, 'Note').fill('Olivia thinks that Nora is tiresome');

  await page
    .getByRole('button', { name: /Account: Olivia Owen/ })
    .locator('visible=true')
    .click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  // Each tab may open the page twice: by its own sign-out, and by the other tab's. The first one then never finishes loading.
  await expect(page).toHaveURL(/\/sign-in/);
  // The other tab leaves too, and does not store its draft again.
  await expect(other).toHaveURL(/\/sign-in/);
  await expect.poll(drafts).toEqual([]);

  await fillInSignIn(page, 'agent@demo.test');
  await page.goto(inbox);
  await expect(box(page, 'Reply')).toHaveValue('Stored by this tab');
  await box(page, 'Reply').fill('Arjun writes');
  await expect.poll(drafts).toHaveLength(1);
  await other.close();
  expect(await drafts()).toHaveLength(1);
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('tiresome');
});

test('a failed message is reported to its author and resent from the thread', async ({
  page,
  openElsewhere,
}) => {
  await signIn(page, 'owner@demo.test');
  const switches = `/accounts/${await accountOf(page, 'whatsapp')}/switches`;
  await control(page, 'PATCH', switches, { refuse_next: '131026', refuse_all: true });
  await page.goto('/inbox?status=all&channel=whatsapp');
  await page.getByRole('list', { name: 'Conversations' }).getByRole('link').first().click();
  await expect(page).toHaveURL(/selected=/);
  // Other tests on this service fail messages, too.
  const earlier = await countFailures(page);
  const text = `Not there ${Date.now()}`;
  await box(page, 'Reply').fill(text);
  await button(page, 'Send').click();
  const message = thread(page).getByRole('listitem').filter({ hasText: text });
  const failed = 'Not delivered. WhatsApp cannot deliver to this contact';
  await expect(message).toContainText(failed);
  await expect.poll(() => countFailures(page)).toBe(earlier + 1);

  await message.getByRole('button', { name: 'Send again' }).click();
  // It is refused again, and nothing else changes.
  await expect.poll(() => countFailures(page)).toBe(earlier + 2);
  await expect(message).toContainText(failed);
  await expect(thread(page).getByText(text)).toHaveCount(1);

  const viewer = await openOf(openElsewhere, 'viewer@demo.test', page.url());
  await expect(thread(viewer).getByText(text)).toBeVisible();
  await expect(thread(viewer).getByRole('button', { name: 'Send again' })).toBeHidden();
  await control(page, 'PATCH', switches, { refuse_next: null, refuse_all: false });
});

test('on Starter, the composer says that email is not sent and which plan has notes', async ({ page }) => {
  const { id } = await startConversation(page, 'Demo Starter');
  await page.goto(`/inbox?selected=${id}`);
  await button(page, 'Open Demo Starter').click();
  await expect(button(page, 'Workspace: Demo Starter')).toBeVisible();
  // Unlike the page of the other workspace, a reloaded one has waited for hydration.
  await page.reload();
  await expect(
    page.getByText('Sending email needs the Growth plan or higher: replies are saved here'),
  ).toBeVisible();
  await expect(thread(page)).toContainText('Saved, but not sent');
  await expect(thread(page).getByRole('button', { name: 'Send again' })).toHaveCount(0);
  await page.getByRole('tab', { name: 'Note' }).click();
  await expect(page.getByText('Internal notes need the Growth plan or higher.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'See the plans' })).toHaveAttribute('href', '/settings/plan');
  await button(page, 'Workspace: Demo Starter').click();
  await page.getByRole('menuitemradio', { name: /Demo Growth/ }).click();
  await expect(button(page, 'Workspace: Demo Growth')).toBeVisible();
});

/** Runs in the browser. Records whether a frame shows the text in the thread and also in a reply that is not sent yet. */
function watchForBoth(text: string): { areShown: boolean } {
  const watch = { areShown: false };
  const isIn = (label: string) =>
    document.querySelector(`[aria-label="${label}"]`)?.textContent.includes(text) ?? false;
  const check = () => {
    watch.areShown ||= isIn('Messages') && isIn('Replies not sent yet');
    requestAnimationFrame(check);
  };
  check();
  return watch;
}

/** Opens the notifications, counts those about messages that WhatsApp refused, and closes them. */
async function countFailures(page: Page): Promise<number> {
  const bell = page.getByRole('button', { name: /^Notifications/ });
  await bell.locator('visible=true').click();
  const dialog = page.getByRole('dialog', { name: 'Notifications' });
  await expect(dialog.getByRole('heading', { name: 'Notifications', exact: true })).toBeVisible();
  const failure = /Sending your message in .* failed\. WhatsApp cannot deliver/;
  const count = await dialog.getByRole('listitem').filter({ hasText: failure }).count();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  return count;
}
