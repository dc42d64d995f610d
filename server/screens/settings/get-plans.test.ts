import { describe, expect, test } from 'vitest';
import { lossesOf } from '#server/screens/settings/plan.ts';

const NOTES = 'Internal notes can no longer be added. Existing notes stay.';
const EMAIL = 'Emails are saved in their conversation but no longer sent.';

describe('losses on another plan', () => {
  test('are none on a larger plan', () => {
    const standing = { plan: 'starter', slotsUsed: 1, hasVerifiedDomain: true } as const;
    for (const plan of ['growth', 'business', 'scale'] as const) expect(lossesOf(plan, standing)).toEqual([]);
  });

  test('are notes and email on Starter', () => {
    const standing = { plan: 'growth', slotsUsed: 1, hasVerifiedDomain: true } as const;
    expect(lossesOf('starter', standing)).toEqual([NOTES, EMAIL]);
    expect(lossesOf('starter', { ...standing, hasVerifiedDomain: false })).toEqual([NOTES]);
  });

  test('are slots: existing integrations stay', () => {
    const standing = { plan: 'scale', slotsUsed: 6, hasVerifiedDomain: false } as const;
    expect(lossesOf('business', standing)).toEqual([]);
    expect(lossesOf('growth', standing)).toEqual([
      '6 integrations are in use, and this plan has 5 slots. They stay connected, but nothing new can be connected until fewer than 5 are in use.',
    ]);
    expect(lossesOf('starter', standing)[0]).toBe(
      '6 integrations are in use, and this plan has 1 slot. They stay connected, but nothing new can be connected until none is in use.',
    );
  });
});
