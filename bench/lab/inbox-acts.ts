import {
  type Act,
  arrowIn,
  BOX,
  clearBox,
  DIALOG,
  FORM,
  field,
  LOAD_MS,
  NEW_TAG,
  next,
  nextThen,
  opens,
  opensByClick,
  PAUSE_MS,
  pressEscape,
  removeBenchTags,
  UNDO,
  write,
} from '#bench/lab/act-setup.ts';
import { BULK_ACTS } from '#bench/lab/bulk-acts.ts';
import { db } from '#server/core/database/prisma.ts';

const OPENED = `$('[data-opened]')?.dataset.opened`;
const LISTED = `$('[data-conversation-list]')?.ariaBusy !== 'true'`;
const LINKS = 'nav[aria-label="Main"]';
const TAGS = 'ul[aria-labelledby^="tags-"]';
const MENU = '[data-command-menu]';
const WORDS = 'refund delivery invoice order address payment warranty account parcel discount'.split(' ');

export const OPEN_BY_CLICK: Act = {
  path: '/inbox',
  click: (n) => `[data-conversation-list] [data-conversation] >> nth=${n}`,
  shows: `$('[data-conversation-list] [aria-current="true"]')?.dataset.conversation`,
  ends: `$('[data-opened] [aria-label="Messages"]') !== null`,
  endsAtMost: 100,
};

/** All acts by name. */
export const ACTS: Record<string, Act> = {
  'open the next (J)': { path: '/inbox', before: next, press: 'j', shows: OPENED },
  'open the previous (K)': {
    path: '/inbox',
    before: (sample) => next(sample).then(() => next(sample)),
    press: 'k',
    shows: OPENED,
  },
  'open (click)': OPEN_BY_CLICK,
  'solve (E)': { path: '/inbox', before: next, press: 'e', shows: OPENED },
  'reopen (E)': {
    path: '/inbox?status=solved',
    before: next,
    press: 'e',
    shows: `$('[data-opened] [data-shortcut="status"]')?.textContent`,
  },
  'assign to me (A)': {
    path: '/inbox?assignee=unassigned',
    before: next,
    press: 'a',
    shows: `$('[data-opened] header p')?.textContent`,
  },
  'assign (key in the field)': field(0),
  'team (key in the field)': field(1),
  'priority (key in the field)': field(2),
  'new tag (T)': {
    path: '/inbox',
    before: next,
    press: 't',
    shows: `$('${NEW_TAG}') !== null`,
    after: pressEscape,
  },
  'add a tag (Enter)': {
    path: '/inbox',
    before: async (sample) => {
      await removeBenchTags(sample);
      await nextThen('t', `${NEW_TAG}:focus`)(sample);
      await sample.page.keyboard.type(`bench ${sample.n}`);
    },
    press: 'Enter',
    shows: `$('${TAGS}')?.textContent`,
  },
  'remove a tag (click)': {
    path: '/inbox?tag=Refund',
    before: next,
    click: () => `${TAGS} button >> nth=0`,
    shows: `$('${TAGS}')?.textContent`,
  },
  'snooze panel (Z)': opens('z'),
  'snooze (click)': {
    path: '/inbox',
    before: nextThen('z', FORM),
    click: () => `${DIALOG} >> text="Tomorrow 9:00"`,
    shows: OPENED,
  },
  'note (Ctrl+Enter)': {
    path: '/inbox',
    before: write('n', 'A note'),
    press: 'Control+Enter',
    shows: `$('${BOX}')?.value`,
    ends: (n) => `$('[aria-label="Messages"]')?.textContent.includes('A note ${n}')`,
  },
  'reply (Ctrl+Enter)': {
    path: '/inbox?channel=webchat',
    before: write('r', 'A reply'),
    press: 'Control+Enter',
    shows: `$('[aria-label="Composer"]')?.textContent.includes('Undo')`,
    after: async (sample) => {
      const { page } = sample;
      await page.getByRole('region', { name: 'Composer' }).getByRole('button', { name: 'Undo' }).click();
      await page.waitForFunction((box) => document.querySelector<HTMLTextAreaElement>(box)?.value, BOX);
      await clearBox(sample);
    },
  },
  'saved replies (/)': {
    path: '/inbox?channel=webchat',
    before: write('r', ''),
    press: '/',
    shows: `$('[role="listbox"]') !== null`,
    after: clearBox,
  },
  'insert a saved reply (Enter)': {
    path: '/inbox?channel=webchat',
    before: async (sample) => {
      await write('r', '')(sample);
      await sample.page.keyboard.press('/');
      await sample.page.locator('[role="option"]').first().waitFor();
    },
    press: 'Enter',
    shows: `$('${BOX}')?.value`,
    after: clearBox,
  },
  'mark unread (U)': { path: '/inbox', before: next, press: 'u', shows: OPENED },
  'spam dialog (!)': opens('!'),
  'spam (click)': {
    path: '/inbox',
    before: nextThen('!', FORM),
    click: () => `${DIALOG} button[type="submit"]`,
    shows: `$('${DIALOG} button[type="submit"]')?.textContent`,
    ends: `$('${DIALOG}') === null`,
  },
  'merge dialog (M)': opens('m'),
  'forward dialog (F)': opens('f'),
  'delete dialog (click)': opensByClick('[data-opened] [data-shortcut="delete"]', '[role="alertdialog"]'),
  'status menu (S)': opens('s', '[role="menu"]'),
  'status (Enter in the menu)': {
    path: '/inbox',
    before: async (sample) => {
      await nextThen('s', '[role="menu"]')(sample);
      await sample.page.getByRole('menuitemradio', { name: 'Pending' }).focus();
    },
    press: 'Enter',
    shows: `$('[data-opened] [data-shortcut="status"]')?.textContent`,
  },
  'undo of Solve (click)': {
    path: '/inbox',
    before: async (sample) => {
      await nextThen('e', UNDO)(sample);
      // The newest toast comes after the change was saved.
      await sample.page.waitForTimeout(LOAD_MS);
    },
    click: () => UNDO,
    shows: OPENED,
  },
  'command panel (click)': opensByClick('[data-shortcut="command"]'),
  'details (click)': {
    path: '/inbox',
    before: next,
    click: () => '[data-shortcut="details"]',
    shows: `$('#conversation-details') !== null && $('#conversation-details').checkVisibility()`,
    after: ({ page }) => page.locator('[data-shortcut="details"]').click(),
  },
  'new conversation (C)': opens('c'),
  'keyboard shortcuts (?)': opens('?', DIALOG),
  'notifications (click)': opensByClick('button[aria-label^="Notifications"] >> visible=true'),
  'mark all as read (click)': {
    path: '/inbox?unread=yes',
    before: async ({ page, workspaceId }) => {
      await page.locator('[data-shortcut="mark-all-read"]:not([aria-busy="true"])').waitFor();
      await db().member.updateMany({ where: { workspaceId }, data: { readBefore: new Date(0) } });
    },
    click: () => '[data-shortcut="mark-all-read"]',
    shows: `$('[data-shortcut="mark-all-read"]')?.textContent`,
  },
  'command menu (Ctrl+K)': {
    path: '/inbox',
    before: next,
    press: 'Control+k',
    shows: `$('${MENU} [role="option"]') !== null`,
    after: pressEscape,
  },
  'command menu, a letter': {
    path: '/inbox',
    before: nextThen('Control+k', `${MENU} input:focus`),
    press: 'r',
    shows: `$('${MENU} [role="listbox"]')?.textContent`,
    ends: `$('${MENU} [role="status"]')?.textContent !== ''`,
    after: pressEscape,
  },
  ...BULK_ACTS,
  'view (click)': {
    path: '/inbox',
    click: (n) => `${LINKS} [aria-labelledby="nav-inbox"] a >> nth=${(n + 1) % 6}`,
    shows: `$('${LINKS} [aria-current="page"]')?.href`,
    ends: LISTED,
  },
  'saved view (click)': {
    path: '/inbox',
    before: async ({ page, n }) => {
      if (n === 0) await page.locator(`${LINKS} summary`).click();
    },
    click: (n) => `${LINKS} details a >> nth=${n}`,
    shows: `$('${LINKS} [aria-current="page"]')?.href`,
    ends: LISTED,
  },
  'save a view (Enter)': {
    path: '/inbox',
    before: async ({ page, workspaceId }) => {
      // Make room for one more.
      const name = { in: ['View 50', 'A new view'] };
      await db().savedView.deleteMany({ where: { workspaceId, name } });
      await page.goto(new URL('/inbox?priority=urgent&tag=Payment', page.url()).href);
      await page.waitForTimeout(LOAD_MS);
      await page.getByRole('button', { name: 'Save view' }).click();
      await page.locator(DIALOG).getByLabel('Name').fill('A new view');
      await page.waitForTimeout(PAUSE_MS);
    },
    press: 'Enter',
    shows: `$('${DIALOG} button[type="submit"]')?.textContent`,
    ends: `$('${LINKS}').textContent.includes('A new view')`,
  },
  'status tab (click)': {
    path: '/inbox',
    click: (n) => `nav[aria-label="Status"] a >> nth=${(n + 1) % 5}`,
    shows: `$('nav[aria-label="Status"] [aria-current="page"]')?.href`,
    ends: LISTED,
    endsAtMost: 150,
  },
  'order (key in the field)': {
    path: '/inbox',
    press: arrowIn('[aria-label="Sort by"]'),
    shows: `$('[aria-label="Sort by"]')?.value`,
    ends: LISTED,
  },
  'filter panel (click)': {
    path: '/inbox',
    click: () => '[data-shortcut="filter"]',
    shows: `$('${FORM}') !== null`,
    after: pressEscape,
  },
  'filter (key in the panel)': {
    path: '/inbox',
    before: async ({ page, n }) => {
      if (n === 0) await page.locator('[data-shortcut="filter"]').click();
      await page.locator(FORM).waitFor();
    },
    press: arrowIn(`${DIALOG} select >> nth=3`),
    shows: `$('ul[aria-label="Filters"]')?.textContent`,
    ends: LISTED,
  },
  'search (Enter)': {
    path: '/inbox',
    before: ({ page, n }) =>
      page.getByRole('textbox', { name: 'Search conversations' }).fill(WORDS[n % WORDS.length] ?? ''),
    press: 'Enter',
    // Rows that were loaded before show without the symbol.
    shows: `$('search .animate-spin') !== null || $('[data-conversation]')?.href`,
    ends: LISTED,
  },
};
