import { describe, expect, test } from 'vitest';
import { chooseAuthor } from '#server/inbox/incoming-mail/choose-author.ts';
import { parseAddresses } from '#server/inbox/mail-parser/mail-addresses.ts';
import { detectAutomatic } from '#server/inbox/mail-parser/mail-headers.ts';
import { parseRewritten } from '#server/inbox/mail-parser/parse-rewritten.ts';

const MAILBOX = 'support@shop.test';
const OWN = new Set([MAILBOX, 'support+x@shop.test', 'reply+token@shop.test']);
const FORM = 'web@forms.test';
const SIGNED = ['from', 'list-id', 'x-original-from', 'x-original-sender', 'reply-to'];
const GROUP = {
  From: `"'Paul Stein' via Support" <${MAILBOX}>`,
  'List-ID': '<support.shop.test>',
  Precedence: 'list',
};
const RULE = {
  'auto-submitted': 'auto-generated',
  'X-MS-Exchange-Generated-Message-Source': 'Mailbox Rules Agent',
};
const ZENDESK = { 'Auto-Submitted': 'auto-generated', 'X-Zendesk-From-Account-Id': '0a1b2c3' };
const REDIRECTED = { ...RULE, 'Resent-From': `<${MAILBOX}>` };
const RULES_LOOP = 'X-MS-Exchange-Inbox-Rules-Loop';
const ORIGINAL = { ...GROUP, 'X-Original-From': 'Paul <paul@stein.test>' };
const REPLY_TO = { 'Reply-To': 'Nora <nora@winter.test>' };

describe('the author of a mail is', () => {
  test.for([
    ['From', { From: 'Ada <ada@acme.test>' }, 'ada@acme.test', 'passed', []],
    [
      'From, whatever Reply-To names',
      { From: 'ada@acme.test', ...REPLY_TO },
      'ada@acme.test',
      'passed',
      ['nora@winter.test'],
    ],
    [
      'Reply-To as a claim, if From names no address',
      { From: '"Lea" <>', 'Reply-To': 'lea@roth.test' },
      'lea@roth.test',
      'failed',
      [],
    ],
    [
      'Reply-To as a claim, if From is a listed form',
      { From: FORM, ...REPLY_TO },
      'nora@winter.test',
      'failed',
      [],
    ],
    [
      'Reply-To as a claim, if From is our mailbox',
      { From: MAILBOX, ...REPLY_TO },
      'nora@winter.test',
      'failed',
      [],
    ],
    [
      'the first of several in Reply-To, and all are answered',
      { From: FORM, 'Reply-To': 'nora@winter.test, b@c.test' },
      'nora@winter.test',
      'failed',
      ['nora@winter.test', 'b@c.test'],
    ],
    ['the form itself, if nobody is in Reply-To', { From: FORM }, FORM, 'passed', []],
    [
      'our mailbox, if only our own addresses are in Reply-To',
      { From: MAILBOX, 'Reply-To': 'support+x@shop.test' },
      MAILBOX,
      'passed',
      [],
    ],
    [
      'X-Original-From, if our group rewrote From',
      { ...GROUP, 'X-Original-From': 'Paul <paul@stein.test>', 'X-Original-Sender': 'paul@stein.test' },
      'paul@stein.test',
      'passed',
      [],
    ],
    [
      'X-Original-Sender, if our group rewrote From',
      { ...GROUP, 'X-Original-Sender': 'paul@stein.test', 'Reply-To': 'b@c.test' },
      'paul@stein.test',
      'passed',
      ['b@c.test'],
    ],
    [
      'Reply-To as a claim, if our group names nobody else',
      { ...GROUP, ...REPLY_TO },
      'nora@winter.test',
      'failed',
      [],
    ],
    [
      'From, if our group did not rewrite it',
      { ...GROUP, From: 'paul@stein.test', 'X-Original-From': 'eve@evil.test' },
      'paul@stein.test',
      'passed',
      [],
    ],
  ] as const)('%s', ([_case, headers, address, authentication, replyTo]) => {
    expect(choose(headers)).toMatchObject({ author: { address }, authentication, replyTo });
  });

  test('named as the group or Reply-To names them', () => {
    expect(choose({ ...GROUP, 'X-Original-Sender': 'paul@stein.test' }).author?.name).toBe('Paul Stein');
    const apostrophe = { ...GROUP, From: `"'Conor O'Brien' via Support" <${MAILBOX}>` };
    expect(choose({ ...apostrophe, 'X-Original-Sender': 'c@stein.test' }).author?.name).toBe("Conor O'Brien");
    const replyTo = { ...GROUP, From: MAILBOX, 'X-Original-Sender': 'nora@winter.test', ...REPLY_TO };
    expect(choose(replyTo).author?.name).toBe('Nora');
  });
});

describe('an attacker cannot write as the victim through our group with', () => {
  const victim = { ...GROUP, 'X-Original-From': 'victim@bank.test', 'X-Original-Sender': 'victim@bank.test' };
  test.for([
    ['fields that no signature covers', victim, { signedFields: ['from', 'list-id'] }],
    ['one field that no signature covers', victim, { signedFields: ['from', 'list-id', 'x-original-from'] }],
    [
      'a list that no signature covers',
      victim,
      { signedFields: ['from', 'x-original-from', 'x-original-sender'] },
    ],
    ['the list of someone else', { ...victim, 'List-ID': '<list.evil.test>' }, {}],
    ['fields that name two people', { ...victim, 'X-Original-Sender': 'mallory@evil.test' }, {}],
    ['a mail that does not pass', victim, { authentication: 'failed' }],
    ['a mail whose domain proves nothing', victim, { authentication: 'unknown' }],
    ['our domain, before the workspace verified it', victim, { isVerified: false }],
  ] as const)('%s', ([_case, headers, proof]) => {
    expect(choose(headers, proof).authentication).toBe('failed');
    // If the victim's domain publishes nothing, the attacker could also write without the group.
    expect(choose(headers, { ...proof, isOpenDomain: true }).authentication).not.toBe('passed');
  });

  test('a listed form or a mailbox that passes, whatever it signs', () => {
    for (const From of [FORM, MAILBOX]) {
      expect(choose({ From, 'Reply-To': 'victim@bank.test' }).authentication).toBe('failed');
    }
  });

  test('the field of a group in a mail from another address', () => {
    const headers = { ...victim, From: 'mallory@evil.test' };
    expect(choose(headers)).toMatchObject({ author: { address: 'mallory@evil.test' }, isFrom: true });
  });
});

test.for([
  ['a person', {}, false],
  ['a mailing list', { 'List-ID': '<news.acme.test>' }, true],
  ['our group, by List-ID', { 'List-ID': 'Support <support.shop.test>', Precedence: 'list' }, false],
  ['our group, by List-Post', { 'List-Post': '<https://groups.test/a>, <mailto:support@shop.test>' }, false],
  [
    'our group, by Mailing-list',
    { 'Mailing-list': 'list support@shop.test; contact x@shop.test', Precedence: 'list' },
    false,
  ],
  [
    'an absence note through our group',
    { ...GROUP, 'X-Original-From': 'p@stein.test', 'Auto-Submitted': 'auto-replied' },
    true,
  ],
  [
    'a program through our group',
    { ...GROUP, 'X-Original-From': 'p@stein.test', 'Auto-Submitted': 'auto-generated' },
    true,
  ],
  [
    'a form whose program says so',
    { From: FORM, ...REPLY_TO, 'Auto-Submitted': 'auto-generated', Precedence: 'bulk' },
    false,
  ],
  [
    'an absence note of a form’s address',
    { From: FORM, ...REPLY_TO, 'Auto-Submitted': 'auto-replied' },
    true,
  ],
  ['our mailbox', { From: MAILBOX }, false],
  ['our mailbox, with our reply address', { From: MAILBOX, 'Reply-To': 'reply+token@shop.test' }, true],
  ['a person, redirected by a rule of our mailbox', { ...REDIRECTED, [RULES_LOOP]: MAILBOX }, false],
  ['a person’s mailbox, whose rule answers', { ...RULE, [RULES_LOOP]: 'Ada@Acme.test' }, true],
  [
    'a person’s mailbox with another name, whose rule answers',
    { ...RULE, [RULES_LOOP]: 'a@corp.test' },
    true,
  ],
  [
    'a person’s mailbox, whose rule redirects its own mail',
    { ...REDIRECTED, [RULES_LOOP]: 'ada@acme.test' },
    true,
  ],
  [
    'an absence note, redirected by a rule',
    { ...REDIRECTED, [RULES_LOOP]: MAILBOX, 'auto-submitted': 'auto-replied' },
    true,
  ],
  ['a list, redirected by a rule', { ...REDIRECTED, [RULES_LOOP]: MAILBOX, 'List-ID': '<a.b.test>' }, true],
  ['our mailbox, whose rule forwards', { ...RULE, [RULES_LOOP]: MAILBOX, From: MAILBOX }, false],
  ['a person who answers from Zendesk', { From: '"Mia Berg (Acme)" <help@acme.test>', ...ZENDESK }, false],
  ['Zendesk itself', { From: 'Acme <help@acme.test>', ...ZENDESK }, true],
  [
    'a program with such a name',
    { From: '"Jobs (Acme)" <help@acme.test>', 'Auto-Submitted': 'auto-generated' },
    true,
  ],
  ['our mailbox, with our mailbox in Reply-To', { From: MAILBOX, 'Reply-To': MAILBOX }, false],
  ['our group that asks to answer the group', { ...ORIGINAL, 'Reply-To': `Support <${MAILBOX}>` }, false],
] as const)('mail of %s: automatic is %s', ([_case, headers, isAutomatic]) => {
  expect(choose({ From: 'ada@acme.test', ...headers }).isAutomatic).toBe(isAutomatic);
});

test('our own mail that comes back is automatic', () => {
  for (const headers of [{ From: MAILBOX }, { From: MAILBOX, ...REPLY_TO }])
    expect(choose(headers, { isSent: true }).isAutomatic).toBe(true);
  expect(choose({ From: 'ada@acme.test' }, { isSent: true }).isAutomatic).toBe(false);
});

/** `authentication` of a mail without From is `failed`, as it has no domain. */
function choose(
  headers: Record<string, string>,
  {
    isVerified = true,
    isSent = false,
    ...proof
  }: {
    authentication?: 'passed' | 'failed' | 'unknown';
    signedFields?: readonly string[];
    isOpenDomain?: boolean;
    isVerified?: boolean;
    isSent?: boolean;
  } = {},
) {
  const list = Object.entries(headers).map(([key, value]) => ({ key: key.toLowerCase(), value }));
  const [from = null] = parseAddresses(headers.From ?? '');
  const { authentication = 'passed', signedFields = SIGNED, isOpenDomain = false } = proof;
  return chooseAuthor(
    {
      from,
      replyTo: parseAddresses(headers['Reply-To'] ?? ''),
      rewritten: parseRewritten(list),
      automatic: detectAutomatic({
        headers: list,
        envelopeFrom: 'x@y',
        fromAddress: from?.address,
        fromName: from?.name,
      }),
      authentication,
      signedFields: [...signedFields],
      isOpenDomain,
    },
    {
      leadsBack: (address) => OWN.has(address),
      isReplyAddress: (address) => address.startsWith('reply+'),
      isSent,
      isForm: (address) => address === FORM,
      isVerifiedDomain: (domain) => isVerified && domain === 'shop.test',
    },
  );
}
