import { expect, test } from 'vitest';
import { requiresTls } from '#server/core/mail/send-over-smtp.ts';

test.each([
  ['smtp://mail.example.com', true],
  ['smtp://user:secret@192.0.2.7:25', true],
  ['smtp://127.evil.example', true],
  ['smtp://localhost.evil.example', true],
  ['smtp://mail.example.com?requireTLS=true', true],
  ['smtp://127.0.0.1:1025?requireTLS=true', true],
  ['smtp://mail.example.com?requireTLS=no', true],
  ['smtp://mail.internal:25?requireTLS=false', false],
  ['smtp://localhost:1025', false],
  ['smtp://127.0.0.2:1025', false],
  ['smtp://[::1]:1025', false],
])('mail through %s requires TLS: %s', (url, isRequired) => {
  expect(requiresTls(url)).toBe(isRequired);
});
