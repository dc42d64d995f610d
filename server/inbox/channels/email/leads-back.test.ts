import { expect, test } from 'vitest';
import { leadsBack, mailboxAddresses } from '#server/inbox/channels/email/leads-back.ts';
import { setTestSettings } from '#test/servers/settings.ts';

setTestSettings({ INBOUND_SMTP_PORT: '2525' });

test.for([
  ['support@acme.test', ['support@acme.test']],
  ['support+billing@acme.test', ['support+billing@acme.test', 'support@acme.test']],
  ['support+@acme.test', ['support+@acme.test', 'support@acme.test']],
  ['a+b+c@acme.test', ['a+b+c@acme.test', 'a+b@acme.test', 'a@acme.test']],
  ['+tag@acme.test', ['+tag@acme.test']],
  ['"a+b"@acme.test', ['"a+b"@acme.test', '"a@acme.test']],
] as const)('mail to %s reaches the first mailbox of %j', ([address, found]) => {
  expect(mailboxAddresses(address)).toEqual(found);
});

test('an address with thousands of signs has a short list', () => {
  expect(mailboxAddresses(`a${'+a'.repeat(1000)}@acme.test`)).toHaveLength(10);
});

test.for([
  ['support@acme.test', true],
  ['support+billing@acme.test', true],
  ['eu+de@acme.test', true],
  ['eu+de+x@acme.test', true],
  ['eu@acme.test', false],
  ['support@acme.test.example', false],
  ['reply+forged@acme.test', true],
  ['bounce+forged@acme.test', true],
  ['reply+forged@elsewhere.test', false],
  ['bounce+forged@inbox.test', true],
  ['ada@inbox.test', false],
  ['ada+news@contact.test', false],
] as const)('%s leads back: %s', ([address, isOurs]) => {
  expect(leadsBack(address, [{ address: 'support@acme.test' }, { address: 'eu+de@acme.test' }])).toBe(isOurs);
});
