import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CHECKS, fits, hasFields, isTitle } from './integration-checks.ts';

describe('Zapier’s integration checks pass', () => {
  for (const [name, findings] of CHECKS) test(name, () => assert.deepEqual(findings(), []));
});

test('the checks find violations', () => {
  assert.deepEqual(['new contact', 'New contact', 'New Contact', 'Add Tags to Conversation'].map(isTitle), [
    false,
    false,
    true,
    true,
  ]);
  assert.equal(hasFields('trigger', 'teammates.id.nothing'), false);
  assert.equal(hasFields('search', 'find_nobody.id'), false);
  assert.equal(fits('5', { type: 'integer' }), false);
});
