import { describe, expect } from 'vitest';
import { EVENT_KEYS } from '#server/contract/event-catalogue.ts';
import { exampleDelivery, exampleSample } from '#server/contract/event-examples.ts';
import { keyPaths } from '#test/fixtures/key-paths.ts';
import { test } from '#test/fixtures/occurred-test.ts';

describe.each(EVENT_KEYS)('%s', (key) => {
  test('has the same keys at every level as an event and as a sample', ({ occurred: { live, sampled } }) => {
    expect(live[key]).toMatchObject({ event: key });
    expect(sampled[key]).toMatchObject({ event: key });
    const keys = keyPaths(live[key], isBefore);
    expect(keyPaths(sampled[key], isBefore)).toEqual(keys);
    expect(keys).toEqual(
      expect.arrayContaining(['event', 'id', 'occurred_at', ...Object.keys(exampleDelivery(key))]),
    );
    expect(Object.keys(sampled[key] ?? {})).toEqual(Object.keys(live[key] ?? {}));
  });

  test('has the values of its sample, except for id, previous values and later changes', ({
    occurred: { live, sampled },
  }) => {
    const shared = Object.entries(live[key] ?? {}).filter(([name]) => name !== 'id' && !isBefore(name));
    expect(sampled[key]).toMatchObject(Object.fromEntries(shared));
  });

  test('has the same keys in the examples of the API document', ({ occurred: { live } }) => {
    const keys = Object.keys(live[key] ?? {});
    expect(Object.keys(exampleDelivery(key))).toEqual(keys);
    expect(Object.keys(exampleSample(key))).toEqual(keys);
  });
});

/** Previous values are null in samples (docs/spec.md §4.2), so their keys are not compared. */
const isBefore = (path: string) => path.startsWith('previous_');
