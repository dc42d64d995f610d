import { expect, test } from 'vitest';
import type { SenderChecks } from '#server/inbox/mail-parser/authenticated-mail.ts';
import { type ArrivedMessage, arrivalSentences } from '#server/screens/inbox/arrival-sentences.ts';

const MAIL: ArrivedMessage = {
  actorName: null,
  authorAddress: 'ada@acme.test',
  channel: 'email',
  isMail: true,
  isNew: true,
  automatic: false,
  forbidsAnswers: false,
  senderVerified: true,
  senderChecks: null,
  threadReason: 'names_none',
  agentDecision: null,
};

const NOTHING: SenderChecks = { spf: null, dkim: [], dmarc: null, forwarder: null };

const acme = (result: string) => ({ result, domain: 'acme.test' });

test.for<[string, SenderChecks]>([
  ['SPF was not checked: no mail server sent it. DKIM: it is not signed.', NOTHING],
  [
    'SPF failed: acme.test does not list the server that sent it. DKIM: it is not signed.',
    { ...NOTHING, spf: acme('softfail') },
  ],
  ['SPF of acme.test: strange. DKIM: it is not signed.', { ...NOTHING, spf: acme('strange') }],
  [
    'SPF was not checked: no mail server sent it. DKIM passed: acme.test signed it. DKIM: the key of acme.test could not be read.',
    { ...NOTHING, dkim: [acme('pass'), acme('temperror')] },
  ],
  [
    'SPF was not checked: no mail server sent it. DKIM: it is not signed. DMARC failed for acme.test, whose policy is “none”.',
    { ...NOTHING, dmarc: { ...acme('fail'), policy: 'none' } },
  ],
  [
    'SPF was not checked: no mail server sent it. DKIM: it is not signed. DMARC: acme.test publishes no policy.',
    { ...NOTHING, dmarc: { ...acme('none'), policy: 'none' } },
  ],
])('%s', ([sentence, senderChecks]) => {
  expect(arrivalSentences({ ...MAIL, senderChecks }, null)).toEqual([
    'Arrived by email from ada@acme.test.',
    'Its sender was verified: SPF, DKIM or DMARC of the domain passed.',
    sentence,
    'It started this conversation because it answers no earlier email.',
  ]);
});

test('a mail of an earlier version, whose results were not stored, says only whether its sender was verified', () => {
  const sentences = arrivalSentences({ ...MAIL, threadReason: null }, null);
  expect(sentences).toEqual([
    'Arrived by email from ada@acme.test.',
    'Its sender was verified: SPF, DKIM or DMARC of the domain passed.',
  ]);
});

test('a decision that a later version adds is not shown', () => {
  const sentences = arrivalSentences({ ...MAIL, agentDecision: 'something_new' }, null);
  expect(sentences.filter((sentence) => sentence.includes('AI agent'))).toEqual([]);
});

test.for<[Partial<ArrivedMessage>, string]>([
  [{}, 'A machine wrote it, so it notified nobody. Workflows get the new conversation, but no message.'],
  [
    { isNew: false, threadReason: 'answers' },
    'A machine wrote it, so it reopened nothing, notified nobody and started no workflow.',
  ],
  [
    { isNew: false, threadReason: 'returned' },
    'A machine wrote it, so it reopened nothing, and workflows get no message.',
  ],
])('an automatic email says what it did not do: %j', ([mail, sentence]) => {
  expect(arrivalSentences({ ...MAIL, ...mail, automatic: true }, null)).toContain(sentence);
});
