import { expect, test } from 'vitest';
import { isPublicMailProvider } from '#server/contacts/public-mail-providers.ts';

test.each([
  'gmail.com',
  'googlemail.com',
  'outlook.com',
  'hotmail.co.uk',
  'live.fr',
  'yahoo.com',
  'yahoo.com.br',
  'ymail.com',
  'icloud.com',
  'gmx.net',
  'web.de',
  'proton.me',
  'qq.com',
  'mailinator.com',
])('%s is a public mail provider', (domain) => {
  expect(isPublicMailProvider(domain)).toBe(true);
});

// Other lists of public providers contain some of these.
test.each([
  'google.com',
  'alibaba.com',
  'facebook.com',
  'nus.edu.sg',
  'bt.com',
  'example.com',
  'mail.example.com',
  'liveperson.com',
  'live.nation.com',
  'gmail.example.com',
  'yahoo-japan.co.jp',
  '',
])('%j can be a company’s domain', (domain) => {
  expect(isPublicMailProvider(domain)).toBe(false);
});
