import { describe, expect, test } from 'vitest';
import { followList, neighbour } from '#app/components/view/open-neighbour.ts';

const at = (selected: string | undefined, ids = ['a', 'b', 'c']) => followList(null, { ids, selected });

describe('the neighbour of the open conversation', () => {
  test('is the next or the previous row', () => {
    expect(neighbour(at('b'), 1)).toBe('c');
    expect(neighbour(at('b'), -1)).toBe('a');
  });

  test('is missing at the ends of the list', () => {
    expect(neighbour(at('c'), 1)).toBeUndefined();
    expect(neighbour(at('a'), -1)).toBeUndefined();
  });

  test('is the first row when the list has no open conversation', () => {
    expect(neighbour(at(undefined), 1)).toBe('a');
    expect(neighbour(at('elsewhere'), -1)).toBe('a');
    expect(neighbour(at(undefined, []), 1)).toBeUndefined();
  });

  test('stays the same after the open conversation has left the list', () => {
    const left = followList(at('b'), { ids: ['a', 'c'], selected: 'b' });
    expect(neighbour(left, 1)).toBe('c');
    expect(neighbour(left, -1)).toBe('a');
  });

  test('stays the same when others arrive and leave after that', () => {
    const left = followList(at('b', ['a', 'b', 'c', 'd']), { ids: ['a', 'c', 'd'], selected: 'b' });
    const later = followList(left, { ids: ['n2', 'n1', 'a', 'c', 'd'], selected: 'b' });
    expect(neighbour(later, 1)).toBe('c');
    expect(neighbour(later, -1)).toBe('a');
    const without = followList(later, { ids: ['n2', 'n1', 'a', 'd'], selected: 'b' });
    expect(neighbour(without, 1)).toBe('d');
    const last = followList(without, { ids: ['n2', 'n1', 'a'], selected: 'b' });
    expect(neighbour(last, 1)).toBeUndefined();
    expect(neighbour(last, -1)).toBe('a');
  });

  test('is the first row of another list', () => {
    const left = followList(at('b'), { ids: ['x', 'y'], selected: 'b' });
    expect(neighbour(left, 1)).toBe('x');
  });

  test('follows the open conversation when new rows arrive above it', () => {
    const moved = followList(at('b'), { ids: ['new', 'a', 'b', 'c'], selected: 'b' });
    expect(neighbour(moved, -1)).toBe('a');
  });
});
