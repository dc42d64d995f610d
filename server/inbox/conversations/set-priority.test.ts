import { expect, test } from 'vitest';
import { Priority } from '#server/generated/prisma/enums.ts';
import { changeOf, setPriority } from '#server/inbox/conversations/changes.ts';

const NOTHING = changeOf();
const PRIORITIES = Object.values(Priority);
const PAIRS = PRIORITIES.flatMap((from) => PRIORITIES.map((to) => ({ from, to })));

test.each(PAIRS.filter(({ from, to }) => from !== to))(
  'a change from $from to $to adds a timeline entry and emits no event',
  ({ from, to }) => {
    expect(setPriority({ priority: from }, to)).toEqual({
      ...NOTHING,
      columns: { priority: to },
      record: { priority: to },
      entries: [{ kind: 'priority_changed', data: { from, to } }],
    });
  },
);

test.each(PRIORITIES)('setting %s again changes nothing', (priority) => {
  expect(setPriority({ priority }, priority)).toEqual(NOTHING);
});
