import { describe, expect, test } from 'vitest';
import { nextDaily, readBackupArguments } from '#scripts/commands/backup.ts';
import { readRestoreArguments } from '#scripts/commands/restore.ts';

describe('npm run backup', () => {
  test('keeps 14 backups in the data folder, and works on four tables at a time', () => {
    expect(readBackupArguments([], '/data')).toEqual({
      to: '/data/backups',
      keep: 14,
      parallel: 4,
      dailyAt: undefined,
    });
  });

  test('refuses each wrong argument with a sentence', () => {
    const wrong = ['--keep', '0', '--parallel', 'many', '--daily-at', '25:00'];
    expect(() => readBackupArguments(wrong, '/data')).toThrow(
      /--keep must be .*\n--parallel must be .*\n--daily-at must be/,
    );
    expect(() => readBackupArguments(['--at', 'noon'], '/data')).toThrow('For example: npm run backup');
  });

  test.for([
    ['2026-11-28T02:29:59.999Z', '2026-11-28T02:30:00.000Z'],
    ['2026-11-28T02:30:00.000Z', '2026-11-29T02:30:00.000Z'],
    ['2026-12-31T23:59:59.000Z', '2027-01-01T02:30:00.000Z'],
  ])('at %s waits until %s', ([now = '', next]) => {
    expect(nextDaily('02:30', new Date(now)).toISOString()).toBe(next);
  });
});

describe('npm run restore', () => {
  test.for([
    [['/backups/one'], { name: 'restore', folder: '/backups/one' }],
    [['verify', '/backups/one'], { name: 'verify', folder: '/backups/one' }],
    [['held'], { name: 'held', task: undefined }],
    [['held', 'deliver'], { name: 'held', task: 'deliver' }],
    [['release', 'all'], { name: 'release', which: [] }],
    [['drop', 'deliver', '12'], { name: 'drop', which: ['deliver', '12'] }],
    [['hold'], { name: 'hold' }],
  ] as const)('understands %s', ([args, command]) => {
    expect(readRestoreArguments([...args])).toEqual(command);
  });

  test.for([[[]], [['release']], [['drop']], [['verify']], [['one', 'two']], [['--force', 'one']]])(
    'refuses %s with its usage, and releases nothing that was not named',
    ([args = []]) => {
      expect(() => readRestoreArguments(args)).toThrow('npm run restore -- held [TASK]');
    },
  );
});
