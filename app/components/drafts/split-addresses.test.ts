import { expect, test } from 'vitest';
import { splitAddresses } from '#app/components/drafts/split-addresses.ts';

test.each([
  ['', []],
  [' , ;', []],
  ['ada@acme.test', ['ada@acme.test']],
  ['ada@acme.test, bob@acme.test;cy@acme.test', ['ada@acme.test', 'bob@acme.test', 'cy@acme.test']],
  ['ada@acme.test bob@acme.test', ['ada@acme.test', 'bob@acme.test']],
  ['Ada Lovelace <ada@acme.test>, <bob@acme.test>', ['ada@acme.test', 'bob@acme.test']],
])('%j', (line, addresses) => {
  expect(splitAddresses(line)).toEqual(addresses);
});
