import { expect, test } from 'vitest';
import { describePresent } from '#app/components/live/describe-present.ts';

const viewing = (name: string) => ({ userId: name, name, isTyping: false });
const typing = (name: string) => ({ userId: name, name, isTyping: true });

test.for([
  [[viewing('Ada')], 'Ada is viewing this conversation'],
  [[viewing('Ada'), viewing('Ben')], 'Ada and Ben are viewing this conversation'],
  [[viewing('Ada'), typing('Ben')], 'Ben is typing'],
  [['A', 'B', 'C', 'D', 'E'].map(typing), 'A, B, C and 2 more are typing'],
] as const)('%j is “%s”', ([present, sentence]) => {
  expect(describePresent(present)).toBe(sentence);
});
