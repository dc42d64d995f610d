import { expect, test } from 'vitest';
import type { DomainView, MailboxView } from '#server/screens/settings/channel-views.ts';
import { nextEmailStep } from '#server/screens/settings/next-email-step.ts';

const AT = new Date('2026-11-27T12:00:00Z');
const RECORD = { type: 'TXT', name: 'n', value: 'v' } as const;

function domain(fields: Partial<DomainView> = {}): DomainView {
  const signing = { record: null, checkedAt: null };
  return { id: 'd', domain: 'a.test', verifiedAt: AT, record: RECORD, mayRemove: false, signing, ...fields };
}

const mailbox: MailboxView = {
  id: 'm',
  address: 'support@a.test',
  name: 'Support',
  isDefault: true,
  problem: null,
  forwardTo: null,
  lastReceivedAt: null,
  testSentAt: null,
  testReceivedAt: null,
};

const nothing = {
  planProblem: null,
  inboundHost: 'inbox.test',
  domains: [] as DomainView[],
  mailboxes: [] as MailboxView[],
  lastReceivedAt: null,
  postedMail: null,
};
const ready = { ...nothing, domains: [domain()], mailboxes: [mailbox] };
const receiving = { ...ready, lastReceivedAt: AT };
const posted = { address: 'https://inbox.test/x', madeAt: AT, lastReceivedAt: null };
const signed = { record: RECORD, checkedAt: AT };

test.for([
  ['the plan sends no email', { ...nothing, planProblem: 'Needs Growth.' }, 'Needs Growth.'],
  ['there is no domain', nothing, 'Add the domain of'],
  [
    'no domain is verified',
    { ...nothing, domains: [domain({ verifiedAt: null })] },
    'Add the DNS record of a.test',
  ],
  ['there is no mailbox', { ...nothing, domains: [domain()] }, 'Add a mailbox'],
  [
    'no email has arrived',
    ready,
    'Send a test email to each mailbox. It arrives once the MX record of a.test points here',
  ],
  [
    'no email has arrived, and the service has no listener',
    { ...ready, inboundHost: null },
    'Create an address to',
  ],
  [
    'no posted email has arrived',
    { ...ready, inboundHost: null, postedMail: posted },
    'provider post to the address',
  ],
  [
    'no email is sent after a smaller plan was chosen',
    { ...receiving, planProblem: 'Needs Growth.' },
    'Needs Growth.',
  ],
  ['there is no signing key', receiving, 'Set up signing for a.test'],
  [
    'the record of the signing key is missing',
    { ...receiving, domains: [domain({ signing: { record: RECORD, checkedAt: null } })] },
    'Add the signing record of a.test',
  ],
  ['all is done', { ...receiving, domains: [domain({ signing: signed })] }, null],
  [
    'only a domain without mailboxes is not signed',
    { ...receiving, domains: [domain({ signing: signed }), domain({ mayRemove: true })] },
    null,
  ],
] as const)('the next step when %s', ([_when, input, text]) => {
  const step = nextEmailStep({ ...input, domains: [...input.domains], mailboxes: [...input.mailboxes] });
  if (text === null) expect(step).toBeNull();
  else expect(step?.text).toContain(text);
});

test.for([
  ['optional when only signing is missing', receiving, true],
  ['needed when no email has arrived', ready, undefined],
  ['needed when the plan sends no email', { ...receiving, planProblem: 'Needs Growth.' }, undefined],
] as const)('the next step is %s', ([_when, input, isOptional]) => {
  expect(nextEmailStep(input)?.isOptional).toBe(isOptional);
});
