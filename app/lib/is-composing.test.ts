import { expect, test } from 'vitest';
import { isComposing } from '#app/lib/is-composing.ts';

test('the Enter that confirms a composition is none that sends, also in Safari, which reports it after the end', () => {
  expect(isComposing({ isComposing: true, keyCode: 13 })).toBe(true);
  expect(isComposing({ isComposing: false, keyCode: 229 })).toBe(true);
  expect(isComposing({ isComposing: false, keyCode: 13 })).toBe(false);
});
