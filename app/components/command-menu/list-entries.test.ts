import { expect, test } from 'vitest';
import { orderEntries, selectListedEntries } from '#app/components/command-menu/list-entries.ts';
import { getSelection, select } from '#app/components/inbox/selection.ts';
import { parseInboxView } from '#app/lib/inbox-path.ts';

const hrefs = (query: Record<string, string>) =>
  Object.fromEntries(
    orderEntries(parseInboxView(query)).map(({ label, act }) => [label, act.kind === 'go' ? act.href : '']),
  );

test('the list is shown in every other order and status, with its filters and the open conversation', () => {
  expect(hrefs({ tag: 'VIP', selected: 'id' })).toEqual({
    'Sort by: Oldest': '/inbox?tag=VIP&sort=oldest&selected=id',
    'Sort by: Priority': '/inbox?tag=VIP&sort=priority&selected=id',
    'Sort by: Waiting longest': '/inbox?tag=VIP&sort=waiting&selected=id',
    'Sort by: Due first': '/inbox?tag=VIP&sort=due&selected=id',
    'Show status: Pending': '/inbox?tag=VIP&status=pending&selected=id',
    'Show status: Solved': '/inbox?tag=VIP&status=solved&selected=id',
    'Show status: Closed': '/inbox?tag=VIP&status=closed&selected=id',
    'Show status: All': '/inbox?tag=VIP&status=all&selected=id',
  });
});

test('another status keeps the order, and the default order can be restored', () => {
  const found = hrefs({ status: 'solved', sort: 'due' });
  expect(found['Show status: Open']).toBe('/inbox?sort=due');
  expect(found['Sort by: Newest']).toBe('/inbox?status=solved');
  expect(found).not.toHaveProperty('Sort by: Due first');
  expect(found).not.toHaveProperty('Show status: Solved');
});

test('all loaded conversations are selected by one entry, which is missing once they are', () => {
  const ids = ['a', 'b'];
  const [entry] = selectListedEntries(ids);
  if (entry?.act.kind === 'call') entry.act.call();
  expect([...getSelection().ids]).toEqual(['a', 'b']);
  expect(selectListedEntries(ids)).toEqual([]);
  select([]);
  expect(selectListedEntries([])).toEqual([]);
});
