import { expect, test } from 'vitest';
import { checkFiles } from '#app/components/share/check-files.ts';

const LIMITS = { filesMax: 2, fileMaxBytes: 10 * 1024 * 1024 };
const file = (name: string, size = 1) => ({ name, size }) as File;

test('files within the limits are all added', () => {
  const files = [file('a.png'), file('b.png', LIMITS.fileMaxBytes)];
  expect(checkFiles(files, LIMITS)).toEqual({ files, problems: [] });
});

test('an empty file and a too large one are left out, each with a sentence', () => {
  const { files, problems } = checkFiles(
    [file('empty.txt', 0), file('film.mp4', 18_000_000), file('a.png')],
    LIMITS,
  );
  expect(files.map(({ name }) => name)).toEqual(['a.png']);
  expect(problems).toEqual([
    '“empty.txt” is empty, so it was left out.',
    '“film.mp4” is 18 MB, so it was left out. A file can be up to 10 MB.',
  ]);
});

test('files above the number of a message are left out', () => {
  const { files, problems } = checkFiles([file('a'), file('b'), file('c'), file('d')], LIMITS);
  expect(files).toHaveLength(2);
  expect(problems).toEqual(['A message can have up to 2 files, so the last 2 were left out.']);
});
