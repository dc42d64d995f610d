import { describe, expect, test } from 'vitest';
import { beginRows, extendRows, followRows, newestFirst } from '#app/components/contacts/loaded-rows.ts';

type Row = { id: string; at: Date };
const isBelow = newestFirst(({ at }: Row) => at);

/** Rows whose time is their number, newest first. */
const rows = (...numbers: number[]): Row[] =>
  numbers.map((n) => ({ id: `row-${n}`, at: new Date(n * 1_000) }));
const page = (numbers: number[], nextCursor: string | null = null) => ({
  rows: rows(...numbers),
  nextCursor,
});
const shown = ({ rows }: { rows: Row[] }) => rows.map(({ id }) => Number(id.slice(4)));

const twoPages = () => extendRows(beginRows(page([9, 8, 7], 'a')), page([6, 5, 4], 'b'), 'a');

describe('loading on', () => {
  test('adds the next page below, and goes on from there', () => {
    expect(shown(twoPages())).toEqual([9, 8, 7, 6, 5, 4]);
    expect(twoPages().nextCursor).toBe('b');
    expect(extendRows(twoPages(), page([3]), 'b').nextCursor).toBeNull();
  });

  test('doubles no row that is shown already', () => {
    expect(shown(extendRows(beginRows(page([9, 8, 7], 'a')), page([7, 6], 'b'), 'a'))).toEqual([9, 8, 7, 6]);
  });

  test('adds nothing that was asked for by a list that has begun anew since', () => {
    const anew = beginRows(page([20, 19, 18], 'c'));
    expect(extendRows(anew, page([6, 5, 4], 'b'), 'a')).toBe(anew);
  });
});

describe('the newest page, told anew', () => {
  test('is the list when nothing was loaded below', () => {
    const list = followRows(beginRows(page([9, 8, 7], 'a')), page([10, 9, 8], 'z'), { isBelow });
    expect(shown(list)).toEqual([10, 9, 8]);
    expect(list.nextCursor).toBe('z');
  });

  test('goes on top of what was loaded, and what it no longer holds stays below', () => {
    const list = followRows(twoPages(), page([10, 9, 8], 'z'), { isBelow });
    expect(shown(list)).toEqual([10, 9, 8, 7, 6, 5, 4]);
    expect(list.nextCursor).toBe('b');
  });

  test('takes a row up that moved there, and away what is no longer listed', () => {
    const moved = { id: 'row-4', at: new Date(11_000) };
    const newest = { rows: [moved, ...rows(9, 7)], nextCursor: 'z' };
    expect(shown(followRows(twoPages(), newest, { isBelow }))).toEqual([4, 9, 7, 6, 5]);
  });

  test('ends the list when it is all there is', () => {
    const list = followRows(twoPages(), page([9, 8]), { isBelow });
    expect(shown(list)).toEqual([9, 8]);
    expect(list.nextCursor).toBeNull();
  });

  test('begins the list anew when so much came that rows between would be missing', () => {
    const list = followRows(twoPages(), page([30, 29, 28], 'z'), { isBelow });
    expect(shown(list)).toEqual([30, 29, 28]);
    expect(list.nextCursor).toBe('z');
  });

  test('of equally old rows keeps those below that come later by their ids', () => {
    const at = new Date(0);
    const list = extendRows(
      beginRows({
        rows: [
          { id: 'd', at },
          { id: 'c', at },
        ],
        nextCursor: 'a',
      }),
      { rows: [{ id: 'b', at }], nextCursor: 'b' },
      'a',
    );
    const newest = {
      rows: [
        { id: 'e', at },
        { id: 'd', at },
      ],
      nextCursor: 'z',
    };
    expect(followRows(list, newest, { isBelow }).rows.map(({ id }) => id)).toEqual(['e', 'd', 'c', 'b']);
  });
});
