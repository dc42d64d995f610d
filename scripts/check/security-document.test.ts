import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { projectPath } from '#server/core/project.ts';

/** Requirements of levels 1 and 2 in OWASP ASVS 5.0.0, by section. */
const SECTIONS: Record<string, string> = {
  '1.1': '1-2',
  '1.2': '1-9',
  '1.3': '1-11',
  '1.4': '1-3',
  '1.5': '1-2',
  '2.1': '1-3',
  '2.2': '1-3',
  '2.3': '1-4',
  '2.4': '1',
  '3.2': '1-2',
  '3.3': '1-4',
  '3.4': '1-6',
  '3.5': '1-5',
  '3.7': '1-2',
  '4.1': '1-3',
  '4.2': '1',
  '4.3': '1-2',
  '4.4': '1-4',
  '5.1': '1',
  '5.2': '1-3',
  '5.3': '1-2',
  '5.4': '1-3',
  '6.1': '1-3',
  '6.2': '1-12',
  '6.3': '1-4',
  '6.4': '1-4',
  '6.5': '1-5',
  '6.6': '1-3',
  '6.8': '1-4',
  '7.1': '1-3',
  '7.2': '1-4',
  '7.3': '1-2',
  '7.4': '1-5',
  '7.5': '1-2',
  '7.6': '1-2',
  '8.1': '1-2',
  '8.2': '1-3',
  '8.3': '1',
  '8.4': '1',
  '9.1': '1-3',
  '9.2': '1-4',
  '10.1': '1-2',
  '10.2': '1-2',
  '10.3': '1-4',
  '10.4': '1-11',
  '10.5': '1-5',
  '10.6': '1-2',
  '10.7': '1-3',
  '11.1': '1-2',
  '11.2': '1-3',
  '11.3': '1-3',
  '11.4': '1-4',
  '11.5': '1',
  '11.6': '1',
  '12.1': '1-3',
  '12.2': '1-2',
  '12.3': '1-4',
  '13.1': '1',
  '13.2': '1-5',
  '13.3': '1-2',
  '13.4': '1-5',
  '14.1': '1-2',
  '14.2': '1-4',
  '14.3': '1-3',
  '15.1': '1-3',
  '15.2': '1-3',
  '15.3': '1-7',
  '16.1': '1',
  '16.2': '1-5',
  '16.3': '1-4',
  '16.4': '1-3',
  '16.5': '1-3',
  '17.1': '1',
  '17.2': '1-4',
  '17.3': '1-2',
};

const ANSWERS = ['met', 'partly', 'not met', 'operator', 'exception', 'none'];

type Row = { id: string; answer: string; how: string };

describe('docs/security.md', () => {
  test('answers each requirement of levels 1 and 2 once, in order', () => {
    expect(readRows().map(({ id }) => id)).toEqual(requirements());
    expect(requirements()).toHaveLength(253);
  });

  test('has known answers, of which the contract forces two', () => {
    const rows = readRows();
    expect(rows.filter(({ answer }) => !ANSWERS.includes(answer))).toEqual([]);
    const exceptions = rows.filter(({ answer }) => answer === 'exception').map(({ id }) => id);
    expect(exceptions).toEqual(['10.4.6', '10.4.8']);
  });

  test('names a file for each requirement that is met, and only files that exist', () => {
    const rows = readRows();
    const unproven = rows.filter(({ answer, how }) => answer === 'met' && filesIn(how).length === 0);
    expect(unproven).toEqual([]);
    const missing = rows.flatMap(({ how }) => filesIn(how)).filter((file) => !existsSync(projectPath(file)));
    expect(missing).toEqual([]);
  });
});

function readRows(): Row[] {
  const text = readFileSync(projectPath('docs', 'security.md'), 'utf8');
  return [...text.matchAll(/^\| (\d+\.\d+\.\d+) \| ([a-z ]+) \| (.+) \|$/gm)].map(
    ([, id = '', answer = '', how = '']) => ({ id, answer, how }),
  );
}

function requirements(): string[] {
  return Object.entries(SECTIONS).flatMap(([section, ranges]) =>
    ranges.split(' ').flatMap((range) => {
      const [first = 0, last = first] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, at) => `${section}.${first + at}`);
    }),
  );
}

/** Returns paths in backticks: those with a folder, and files of the root folder. */
function filesIn(how: string): string[] {
  return [...how.matchAll(/`([\w./-]+)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => /^[\w-]+\/.|\.json$|^Containerfile$/.test(path));
}
