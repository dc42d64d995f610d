import { expect, test } from 'vitest';
import { Priority } from '#server/generated/prisma/enums.ts';
import { changeOf, setPriority } from '#server/inbox/conversations/changes.ts';

const NOTHING = changeOf();
const PRIORITIES = Object.values(Priority);
const PAIRS = PRIORITIES.flatMap((from) => PRIORITIES.map((to) => ({ from, to })));

test.each(PAIRS.filter(({ from, to }) => from !== to))(
  'from $from to $to is in the timeline, and no event follows',
  ({ from, to }) => {
    expect(setPriority({ priority: from }, to)).toEqual({
      ...NOTHING,
      columns: { priority: to },
      record: { priority: to },
      entries: [{ kind: 'priority_changed', data: { from, to } }],
    });
  },
);

test.each(PRIORITIES)('%s stays: nothing', (priority) => {
  expect(setPriority({ priority }, priority)).toEqual(NOTHING);
});
