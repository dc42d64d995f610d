import { expect, it } from 'vitest';
import { parsePostmasterPid } from '#scripts/postgres/postmaster.ts';

const running = [
  '4711',
  '/data/cluster',
  '1795245750',
  '43211',
  '',
  '127.0.0.1',
  '  1234  5',
  'ready   ',
  '',
];

it('reads the process, folder and port of a running server', () => {
  const found = { pid: 4711, dataDirectory: '/data/cluster', port: 43211, ready: true };
  expect(parsePostmasterPid(running.join('\n'))).toEqual(found);
});

it('recognizes a server that is still starting', () => {
  expect(parsePostmasterPid(running.with(7, 'starting').join('\n'))?.ready).toBe(false);
});

it.each(['', '4711\n', '4711\n/data/cluster\n1795245750\n', 'x\n/data\n1\n2\n'])(
  'does not recognize a server in %j',
  (text) => {
    expect(parsePostmasterPid(text)).toBeUndefined();
  },
);
