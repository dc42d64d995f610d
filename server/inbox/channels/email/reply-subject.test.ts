import { expect, test } from 'vitest';
import { replySubject } from '#server/inbox/channels/email/email-channel.ts';

test.each([
  ['Invoice 7', 'Re: Invoice 7'],
  ['Re: Invoice 7', 'Re: Invoice 7'],
  ['RE:Invoice 7', 'RE:Invoice 7'],
  ['RE: re: Re: Invoice 7', 'Re: Invoice 7'],
  ['Re: Re[2]: Invoice 7', 'Re[2]: Invoice 7'],
  ['Regarding your order', 'Re: Regarding your order'],
  ['Fwd: Re: Invoice 7', 'Re: Fwd: Re: Invoice 7'],
  ['', 'Re:'],
])('the reply to %j has the subject %j', (subject, expected) => {
  expect(replySubject(subject)).toBe(expected);
});
