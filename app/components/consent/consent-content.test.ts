import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { ConsentContent } from '#app/components/consent/consent-content.tsx';
import type { ConsentView } from '#server/screens/consent/views.ts';

const names = { platformName: 'Workflow Platform', serviceName: 'Shared Inbox' };
const subject = {
  ...names,
  workspace: { id: 'a', name: 'Acme' },
  teammate: { name: 'Ada Admin', email: 'ada@acme.test' },
};
const request = {
  action: '/oauth/authorize',
  fields: [
    { name: 'client_id', value: 'x' },
    { name: 'state', value: 'a"b' },
  ],
};
const acme = { id: 'a', name: 'Acme', hasFreeSlot: true };
const other = { id: 'b', name: 'Bolt', hasFreeSlot: false };
const form = { ...request, workspaces: [acme] };
const ways = { ...names, retryUrl: '/oauth/authorize?again', cancel: request };
const owners = [
  { name: 'Olivia Owen', email: 'olivia@acme.test' },
  { name: 'Otto Other', email: 'otto@acme.test' },
];
const slot = { workspace: { id: 'a', name: 'Acme' }, planName: 'Starter', isOwner: true, owners };
const ask: ConsentView = { kind: 'ask', ...subject, form, earlier: null };

const markup = (view: ConsentView) => renderToStaticMarkup(createElement(ConsentContent, { view }));
/** What the card says, as it is read. */
const said = (view: ConsentView) =>
  markup(view)
    .replaceAll(/<option[^>]*>/g, ' ')
    .replaceAll(/<\/(?:p|h1|h2|li|button|a|label|option)>/g, '\n')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"');
const titleOf = (view: ConsentView) =>
  /<h1[^>]*>(.*?)<\/h1>/.exec(markup(view))?.[1]?.replaceAll(/<[^>]+>/g, '');
const attribute = (tag: string, name: string) =>
  new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll('&quot;', '"');
/** What each button says, and which decision it posts. */
const buttonsOf = (view: ConsentView) =>
  [...markup(view).matchAll(/(<button[^>]*>)([^<]+)</g)].map(([, tag = '', words]) => [
    words,
    attribute(tag, 'name') === 'decision' ? attribute(tag, 'value') : undefined,
  ]);
/** What is posted besides. */
const hiddenOf = (view: ConsentView) =>
  Object.fromEntries(
    [...markup(view).matchAll(/<input type="hidden"[^>]*>/g)].map(([tag]) => [
      attribute(tag, 'name'),
      attribute(tag, 'value'),
    ]),
  );
const linksOf = (view: ConsentView) =>
  Object.fromEntries(
    [...markup(view).matchAll(/<a href="([^"]+)"[^>]*>([^<]+)</g)].map((match) => [match[2], match[1]]),
  );

describe('the question', () => {
  test('names platform, workspace and teammate, what is allowed and what is not, and where it ends', () => {
    expect(titleOf(ask)).toBe('Connect Workflow Platform to Acme');
    const words = said(ask);
    expect(words).toContain('as Ada Admin, ada@acme.test');
    expect(words).toContain('Workflow Platform can');
    expect(words).toContain('Start conversations, and reply as you');
    expect(words).toContain('It can’t');
    expect(words).toContain('You can end this any time in Settings, Integrations.');
    expect(buttonsOf(ask)).toEqual([
      ['Cancel', 'cancel'],
      ['Connect', 'approve'],
    ]);
    expect(hiddenOf(ask)).toMatchObject({ workspace_id: 'a' });
    expect(markup(ask)).not.toContain('<select');
  });

  test('with several workspaces is about the one in the select, which begins with the open one', () => {
    const several: ConsentView = { ...ask, form: { ...form, workspaces: [acme, other] } };
    expect(titleOf(several)).toBe('Connect Workflow Platform to a workspace');
    expect(markup(several)).toMatch(/<label for="([^"]+)"[^>]*>Workspace<\/label>.*<select[^>]* id="\1"/);
    expect(markup(several)).toContain('<option value="a" selected="">Acme</option>');
    expect(said(several)).toContain('Bolt (no free slot)');
    expect(said(several)).toContain('Acme is open in the app. You can choose another one of yours.');
  });

  test('posts the request as it came, whatever is in it', () => {
    expect(hiddenOf(ask)).toMatchObject({ client_id: 'x', state: 'a"b' });
    expect(markup(ask)).toMatch(/<form[^>]* action="\/oauth\/authorize" method="post"/);
  });

  test('after going back says that this was approved already, and what that means', () => {
    const earlier = { workspaceName: 'Acme', isWaiting: false };
    expect(said({ ...ask, earlier })).toContain(
      'You already approved this: Workflow Platform is connected to Acme',
    );
    expect(said({ ...ask, earlier: { ...earlier, isWaiting: true } })).toContain(
      'Workflow Platform is still finishing',
    );
  });
});

describe('a card without a way to approve', () => {
  test('in a workspace where the teammate is no owner or admin names the owners whom to ask', () => {
    const view: ConsentView = {
      kind: 'not_allowed',
      ...subject,
      owners,
      form: { ...request, workspaces: [] },
    };
    expect(said(view)).toContain(
      'Ask Olivia Owen (olivia@acme.test) or Otto Other (otto@acme.test) to connect it.',
    );
    expect(buttonsOf(view)).toEqual([['Cancel', 'cancel']]);
    const elsewhere: ConsentView = { ...view, form: { ...request, workspaces: [{ ...acme, name: 'Bolt' }] } };
    expect(said(elsewhere)).toContain('or connect a workspace where you are one.');
    expect(buttonsOf(elsewhere)).toContainEqual(['Connect', 'approve']);
  });

  test('without a free slot names workspace and plan, and has an owner upgrade, and tells others who can', () => {
    const view: ConsentView = {
      kind: 'no_slot',
      ...subject,
      planName: 'Starter',
      isOwner: true,
      owners,
      form: { ...request, workspaces: [{ ...acme, hasFreeSlot: false }] },
    };
    expect(titleOf(view)).toBe('Acme has no free slot');
    expect(said(view)).toContain('Starter plan');
    expect(linksOf(view)).toEqual({ Upgrade: '/settings/plan' });
    expect(buttonsOf(view)).toContainEqual(['Cancel', 'cancel']);
    const others: ConsentView = { ...view, isOwner: false };
    expect(linksOf(others)).toEqual({});
    expect(said(others)).toContain(
      'Only an owner can upgrade: ask Olivia Owen (olivia@acme.test) or Otto Other (otto@acme.test).',
    );
  });
});

describe('a decision that was refused', () => {
  test('for the role says where and whom to ask, and nothing of a workspace of strangers', () => {
    const view: ConsentView = { kind: 'refused_role', ...ways, workspaceName: 'Acme', owners };
    expect(said(view)).toContain('You are not an owner or admin of Acme. Nothing was connected.');
    expect(said(view)).toContain(
      'Ask Olivia Owen (olivia@acme.test) or Otto Other (otto@acme.test) to connect',
    );
    const strangers: ConsentView = { ...view, workspaceName: null, owners: [] };
    expect(said(strangers)).toContain('of the workspace you chose');
    expect(said(strangers)).toContain('Ask an owner or admin to connect');
  });

  test('for the slots names workspace and plan, offers an owner to upgrade, another workspace, and to cancel', () => {
    const view: ConsentView = {
      kind: 'refused_slot',
      ...ways,
      ...slot,
    };
    expect(titleOf(view)).toBe('Acme has no free slot');
    expect(said(view)).toContain('all slots of the Starter plan of Acme. Nothing was connected.');
    expect(linksOf(view)).toEqual({
      Upgrade: '/settings/plan?workspace=a',
      'Choose another workspace': '/oauth/authorize?again',
    });
    const others: ConsentView = { ...view, isOwner: false };
    expect(linksOf(others)).toEqual({ 'Choose another workspace': '/oauth/authorize?again' });
    expect(said(others)).toContain(
      'Only an owner can upgrade: ask Olivia Owen (olivia@acme.test) or Otto Other (otto@acme.test).',
    );
  });

  test.each<[string, ConsentView]>([
    ['stale', { kind: 'stale_form', ...ways }],
    ['switched', { kind: 'switched', ...ways }],
    ['too often', { kind: 'too_many', retryAfterSeconds: 17, ...ways }],
    ['role', { kind: 'refused_role', workspaceName: 'Acme', owners, ...ways }],
    ['slots', { kind: 'refused_slot', ...slot, ...ways }],
  ])('can be looked at again, and cancelled with the very request: %s', (_why, view) => {
    expect(Object.values(linksOf(view))).toContain('/oauth/authorize?again');
    expect(buttonsOf(view)).toEqual([['Cancel', 'cancel']]);
    expect(hiddenOf(view)).toEqual({ client_id: 'x', state: 'a"b' });
  });

  test('for its frequency says Too Many Attempts. and for how long', () => {
    const view: ConsentView = { kind: 'too_many', retryAfterSeconds: 17, ...ways };
    expect(titleOf(view)).toBe('Too Many Attempts.');
    expect(said(view)).toContain('Wait 17 seconds');
  });
});

describe('the page for a client that is not the platform', () => {
  const view: ConsentView = { kind: 'unknown_client', ...names };

  test('says that this address is for the platform alone, and tells the authors of other programs what exists', () => {
    expect(titleOf(view)).toBe('This address is for Workflow Platform alone');
    expect(said(view)).toContain('Shared Inbox accepts one program only');
    expect(said(view)).toContain('described under /docs');
  });

  test('promises nothing that does not exist', () => {
    expect(said(view)).not.toMatch(/webhook|AI agent|public API|planned|soon|\byet\b|not available/i);
  });

  test('has no form and leads to no address that somebody sent', () => {
    expect(markup(view)).not.toContain('<form');
    expect(linksOf(view)).toEqual({ 'Go to the inbox': '/' });
  });
});

test('a fault of ours is shown as one, with a way to try again where the request was understood', () => {
  const view: ConsentView = { kind: 'fault', retryUrl: '/oauth/authorize?again', ...names };
  expect(said(view)).toContain('Something went wrong on our side');
  expect(linksOf(view)).toEqual({ 'Try again': '/oauth/authorize?again' });
  expect(linksOf({ ...view, retryUrl: null })).toEqual({});
});

test('no card uses a word of our trade, but for the two names that others look for', () => {
  const views: ConsentView[] = [
    ask,
    { kind: 'not_allowed', ...subject, owners, form },
    { kind: 'no_slot', ...subject, planName: 'Starter', isOwner: false, owners, form },
    { kind: 'no_workspace', ...names },
    { kind: 'stale_form', ...ways },
    { kind: 'switched', ...ways },
    { kind: 'refused_role', workspaceName: null, owners: [], ...ways },
    { kind: 'refused_slot', ...slot, ...ways },
    { kind: 'fault', retryUrl: null, ...names },
  ];
  for (const view of views) expect(said(view)).not.toMatch(/webhook|payload|null|grant|token|OAuth|!/i);
});
