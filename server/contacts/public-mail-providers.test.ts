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
])('anybody can have an address at %s', (domain) => {
  expect(isPublicMailProvider(domain)).toBe(true);
});

// Lists that are kept elsewhere hold some of these.
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
])('%j may be a company’s', (domain) => {
  expect(isPublicMailProvider(domain)).toBe(false);
});
