import { describe, expect, test } from 'vitest';
import type { FieldErrors } from '#server/core/errors.ts';
import { parseTrigger } from '#server/inbox/flows/parse-trigger.ts';
import { FLOW_FORM } from '#test/fixtures/flow-form.ts';

const parse = (fields: Partial<typeof FLOW_FORM>) => {
  const errors: FieldErrors = {};
  return { trigger: parseTrigger({ ...FLOW_FORM, ...fields }, errors), errors };
};

test.each([
  [{ trigger: 'replied' }, { kind: 'replied' }],
  [
    { trigger: 'status_changed', triggerStatus: 'solved' },
    { kind: 'status_changed', to: 'solved' },
  ],
  [{ trigger: 'status_changed' }, { kind: 'status_changed', to: null }],
  [
    { trigger: 'priority_changed', triggerPriority: 'urgent' },
    { kind: 'priority_changed', to: 'urgent' },
  ],
  [
    { trigger: 'tagged', triggerTags: ' VIP,vip, refund' },
    { kind: 'tagged', tags: ['VIP', 'refund'] },
  ],
  [
    { trigger: 'sla_missed', triggerLimit: 'resolution' },
    { kind: 'sla_missed', limit: 'resolution' },
  ],
  [
    { trigger: 'stayed', triggerStatus: 'pending', time: ' 3', unit: 'days' },
    { kind: 'stayed', status: 'pending', hours: 72 },
  ],
  [
    { trigger: 'team_silent', time: '4', unit: 'hours' },
    { kind: 'team_silent', hours: 4 },
  ],
])('the fields %j are the trigger %j', (fields, trigger) => {
  expect(parse(fields)).toEqual({ trigger, errors: {} });
});

describe('a message at its field refuses', () => {
  test.each([
    ['trigger', { trigger: '' }],
    ['trigger', { trigger: 'deleted' }],
    ['triggerTags', { trigger: 'tagged', triggerTags: 'x'.repeat(41) }],
    ['triggerStatus', { trigger: 'stayed', triggerStatus: 'closed', time: '1', unit: 'days' }],
    ['triggerStatus', { trigger: 'stayed', triggerStatus: '', time: '1', unit: 'days' }],
    ...['', '0', '-1', '1.5', '1e3', '366', '99999', '３'].map(
      (time) => ['time', { trigger: 'contact_silent', time, unit: 'days' }] as const,
    ),
  ] as const)('%s of %j', (field, fields) => {
    expect(parse(fields).errors).toEqual({ [field]: [expect.stringMatching(/\.$/)] });
  });
});
