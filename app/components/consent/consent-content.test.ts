import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { ConsentContent } from '#app/components/consent/consent-content.tsx';
import type { ConsentView } from '#server/screens/consent/views.ts';

const names = { platformName: 'Workflow Platform', serviceName: 'Shared Inbox' };
const request = {
  action: '/oauth/authorize',
  fields: [
    { name: 'client_id', value: 'x' },
    { name: 'state', value: 'a"b' },
  ],
};
const ways = { ...names, retryUrl: '/oauth/authorize?again', cancel: request };
const owners = [
  { name: 'Olivia Owen', email: 'olivia@acme.test' },
  { name: 'Otto Other', email: 'otto@acme.test' },
];
const slot = { workspace: { id: 'a', name: 'Acme' }, planName: 'Starter', isOwner: true, owners };

const SWITCH = ['Use another account', 'switch_account'];

describe('the consent question', () => {
  test('names platform, workspace and teammate, lists abilities, and says where to disconnect', () => {
    expect(titleOf(ask)).toBe('Connect Workflow Platform to Acme');
    const words = textOf(ask);
    expect(words).toContain('as Ada Admin, ada@acme.test');
    expect(words).toContain('Workflow Platform can');
    expect(words).toContain('Start conversations, and reply as you');
    expect(words).toContain('It can’t');
    expect(words).toContain('You can disconnect any time in Settings > Integrations.');
    expect(buttonsOf(ask)).toEqual([['Cancel', 'cancel'], ['Connect', 'approve'], SWITCH]);
    expect(hiddenOf(ask)).toMatchObject({ workspace_id: 'a' });
    expect(markup(ask)).not.toContain('<select');
  });

  test('with several workspaces offers a select with the open one preselected', () => {
    const several: ConsentView = { ...ask, form: { ...form, workspaces: [acme, other] } };
    expect(titleOf(several)).toBe('Connect Workflow Platform to a workspace');
    expect(markup(several)).toMatch(/<label for="([^"]+)"[^>]*>Workspace<\/label>.*<select[^>]* id="\1"/);
    expect(markup(several)).toContain('<option value="a" selected="">Acme</option>');
    expect(textOf(several)).toContain('Bolt (no free slot)');
    expect(textOf(several)).toContain('You can choose another workspace.');
  });

  test('posts the request unchanged', () => {
    expect(hiddenOf(ask)).toMatchObject({ client_id: 'x', state: 'a"b' });
    expect(markup(ask)).toMatch(/<form[^>]* action="\/oauth\/authorize" method="post"/);
  });

  test('warns after going back that the request was already approved', () => {
    const earlier = { workspaceName: 'Acme', isWaiting: false };
    expect(textOf({ ...ask, earlier })).toContain(
      'You already approved this: Workflow Platform is connected to Acme',
    );
    expect(textOf({ ...ask, earlier: { ...earlier, isWaiting: true } })).toContain(
      'Workflow Platform is still finishing',
    );
  });
});

describe('a card without an approve button', () => {
  test('names the owners to ask when the teammate is neither owner nor admin', () => {
    const view: ConsentView = {
      kind: 'not_allowed',
      role: 'agent',
      ...subject,
      owners,
      form: { ...request, workspaces: [] },
    };
    expect(textOf(view)).toContain(
      'Ask Olivia Owen (olivia@acme.test) or Otto Other (otto@acme.test) to connect it.',
    );
    expect(textOf(view)).toContain('Your role in Acme is agent.');
    expect(buttonsOf(view)).toEqual([['Cancel', 'cancel'], SWITCH]);
    const elsewhere: ConsentView = { ...view, form: { ...request, workspaces: [{ ...acme, name: 'Bolt' }] } };
    expect(textOf(elsewhere)).toContain('or connect a workspace where you are an owner or admin.');
    expect(textOf(elsewhere)).toContain('Select Connect to connect Bolt instead.');
    expect(buttonsOf(elsewhere)).toContainEqual(['Connect', 'approve']);
    const full = { ...acme, name: 'Bolt', hasFreeSlot: false };
    expect(textOf({ ...view, form: { ...request, workspaces: [full] } })).toContain(
      'You can connect Bolt instead once it has a free slot.',
    );
  });

  test('without a free slot offers an owner the upgrade, and tells others which owners can upgrade', () => {
    const view: ConsentView = {
      kind: 'no_slot',
      ...subject,
      planName: 'Starter',
      isOwner: true,
      owners,
      form: { ...request, workspaces: [{ ...acme, hasFreeSlot: false }] },
    };
    expect(titleOf(view)).toBe('Acme has no free slot');
    expect(textOf(view)).toContain('Starter plan');
    expect(linksOf(view)).toEqual({ Upgrade: '/settings/plan' });
    expect(buttonsOf(view)).toContainEqual(['Cancel', 'cancel']);
    const others: ConsentView = { ...view, isOwner: false };
    expect(linksOf(others)).toEqual({});
    expect(textOf(others)).toContain(
      'Only an owner can upgrade. Ask Olivia Owen (olivia@acme.test) or Otto Other (otto@acme.test).',
    );
  });
});

describe('a refused decision', () => {
  test('because of the role names the owners to ask, but reveals nothing about a foreign workspace', () => {
    const view: ConsentView = { kind: 'refused_role', ...ways, workspaceName: 'Acme', owners };
    expect(textOf(view)).toContain('You are not an owner or admin of Acme. Nothing was connected.');
    expect(textOf(view)).toContain(
      'Ask Olivia Owen (olivia@acme.test) or Otto Other (otto@acme.test) to connect',
    );
    const foreign: ConsentView = { ...view, workspaceName: null, owners: [] };
    expect(textOf(foreign)).toContain('of the workspace you chose');
    expect(textOf(foreign)).toContain('Ask an owner or admin to connect');
  });

  test('because of the slots names workspace and plan, and offers upgrade, another workspace and cancel', () => {
    const view: ConsentView = {
      kind: 'refused_slot',
      ...ways,
      ...slot,
    };
    expect(titleOf(view)).toBe('Acme has no free slot');
    expect(textOf(view)).toContain('all slots of the Starter plan of Acme. Nothing was connected.');
    expect(linksOf(view)).toEqual({
      Upgrade: '/settings/plan?workspace=a',
      'Choose another workspace': '/oauth/authorize?again',
    });
    const others: ConsentView = { ...view, isOwner: false };
    expect(linksOf(others)).toEqual({ 'Choose another workspace': '/oauth/authorize?again' });
    expect(textOf(others)).toContain(
      'Only an owner can upgrade. Ask Olivia Owen (olivia@acme.test) or Otto Other (otto@acme.test).',
    );
  });

  test.each<[string, ConsentView]>([
    ['stale', { kind: 'stale_form', ...ways }],
    ['switched', { kind: 'switched', ...ways }],
    ['too often', { kind: 'too_many', retryAfterSeconds: 17, ...ways }],
    ['role', { kind: 'refused_role', workspaceName: 'Acme', owners, ...ways }],
    ['slots', { kind: 'refused_slot', ...slot, ...ways }],
  ])('offers a retry, and a cancel with the same request: %s', (_why, view) => {
    expect(Object.values(linksOf(view))).toContain('/oauth/authorize?again');
    expect(buttonsOf(view)).toEqual([['Cancel', 'cancel']]);
    expect(hiddenOf(view)).toEqual({ client_id: 'x', state: 'a"b' });
  });

  test('because of the rate limit says Too Many Attempts. and how long to wait', () => {
    const view: ConsentView = { kind: 'too_many', retryAfterSeconds: 17, ...ways };
    expect(titleOf(view)).toBe('Too Many Attempts.');
    expect(textOf(view)).toContain('Wait 17 seconds');
  });
});

describe('the page for a client that is not the platform', () => {
  const view: ConsentView = { kind: 'unknown_client', ...names };

  test('says that the link failed, and leads other programs to the developer API', () => {
    expect(titleOf(view)).toBe('This link didn’t work');
    expect(textOf(view).replaceAll(/\s+/g, ' ')).toContain(
      'use the developer API with a token and signed webhooks. Shared Inbox accepts one client only',
    );
    expect(linksOf(view)).toMatchObject({ 'developer API': '/docs/developer' });
  });

  test('promises no planned feature', () => {
    expect(textOf(view)).not.toMatch(/AI agent|planned|soon|\byet\b|not available/i);
  });

  test('has no form and no link to an address from the request', () => {
    expect(markup(view)).not.toContain('<form');
    expect(linksOf(view)).toEqual({
      'Go to the inbox': '/',
      'developer API': '/docs/developer',
      'its API documentation': '/docs',
    });
  });
});

test('an internal error offers a retry where the request was valid', () => {
  const view: ConsentView = { kind: 'fault', retryUrl: '/oauth/authorize?again', ...names };
  expect(textOf(view)).toContain('Something went wrong on our side');
  expect(linksOf(view)).toEqual({ 'Try again': '/oauth/authorize?again' });
  expect(linksOf({ ...view, retryUrl: null })).toEqual({});
});

test('without a workspace the card asks for an invitation, unless one is closed to this session', () => {
  const none: ConsentView = { kind: 'no_workspace', closed: [], ...names };
  expect(textOf(none)).toContain('to invite you');
  const closed = { ...none, closed: ['Acme', 'Bolt'] };
  expect(titleOf(closed)).toBe('Your workspaces are not open yet');
  expect(textOf(closed)).toContain(
    'Acme and Bolt need two-factor authentication or another way of signing in',
  );
  expect(textOf(closed)).not.toContain('invite');
  for (const view of [none, closed]) expect(linksOf(view)).toEqual({ Continue: '/no-workspace' });
});

test('no card uses technical terms', () => {
  const views: ConsentView[] = [
    ask,
    { kind: 'not_allowed', role: 'agent', ...subject, owners, form },
    { kind: 'no_slot', ...subject, planName: 'Starter', isOwner: false, owners, form },
    { kind: 'no_workspace', closed: [], ...names },
    { kind: 'no_workspace', closed: ['Acme'], ...names },
    { kind: 'stale_form', ...ways },
    { kind: 'switched', ...ways },
    { kind: 'refused_role', workspaceName: null, owners: [], ...ways },
    { kind: 'refused_slot', ...slot, ...ways },
    { kind: 'fault', retryUrl: null, ...names },
  ];
  for (const view of views) expect(textOf(view)).not.toMatch(/webhook|payload|null|grant|token|OAuth|!/i);
});

/** Visible text of the card. */
function textOf(view: ConsentView) {
  return markup(view)
    .replaceAll(/<option[^>]*>/g, ' ')
    .replaceAll(/<\/(?:p|h1|h2|li|button|a|label|option)>/g, '\n')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&gt;', '>');
}

function titleOf(view: ConsentView) {
  return /<h1[^>]*>(.*?)<\/h1>/.exec(markup(view))?.[1]?.replaceAll(/<[^>]+>/g, '');
}

/** Label of each button and the decision it posts. */
function buttonsOf(view: ConsentView) {
  return [...markup(view).matchAll(/(<button[^>]*>)([^<]+)</g)].map(([, tag = '', words]) => [
    words,
    attribute(tag, 'name') === 'decision' ? attribute(tag, 'value') : undefined,
  ]);
}

/** Hidden form fields. */
function hiddenOf(view: ConsentView) {
  return Object.fromEntries(
    [...markup(view).matchAll(/<input type="hidden"[^>]*>/g)].map(([tag]) => [
      attribute(tag, 'name'),
      attribute(tag, 'value'),
    ]),
  );
}

function linksOf(view: ConsentView) {
  return Object.fromEntries(
    [...markup(view).matchAll(/<a href="([^"]+)"[^>]*>([^<]+)</g)].map((match) => [match[2], match[1]]),
  );
}

function markup(view: ConsentView) {
  return renderToStaticMarkup(createElement(ConsentContent, { view }));
}

function attribute(tag: string, name: string) {
  return new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll('&quot;', '"');
}

const subject = {
  ...names,
  workspace: { id: 'a', name: 'Acme' },
  teammate: { name: 'Ada Admin', email: 'ada@acme.test' },
};
const acme = { id: 'a', name: 'Acme', hasFreeSlot: true };
const other = { id: 'b', name: 'Bolt', hasFreeSlot: false };
const form = { ...request, workspaces: [acme] };
const ask: Extract<ConsentView, { kind: 'ask' }> = { kind: 'ask', ...subject, form, earlier: null };
