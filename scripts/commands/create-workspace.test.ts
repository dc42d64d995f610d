import { describe, expect, test } from 'vitest';
import { readArguments } from '#scripts/commands/create-workspace.ts';

const WHOLE = ['--name', 'Acme', '--plan', 'growth', '--owner-email', 'ada@example.com'];
const problem = (args: string[]) => {
  try {
    return readArguments(args);
  } catch (error) {
    return error instanceof Error ? error.message.split('\n').slice(0, -1) : error;
  }
};

describe('the arguments of npm run workspace:create', () => {
  test('are a name, a plan, the owner’s address and optionally their name', () => {
    expect(readArguments(WHOLE)).toEqual({
      name: 'Acme',
      plan: 'growth',
      ownerEmail: 'ada@example.com',
      ownerName: undefined,
    });
    const more = ['--name=Acme', '--plan=Scale', '--owner-email=a@b.test', '--owner-name=Ada'];
    expect(readArguments(more)).toMatchObject({ plan: 'scale', ownerName: 'Ada' });
  });

  test('are all reported when missing', () => {
    expect(problem([])).toEqual([
      '--name is missing: it is what the workspace is called.',
      '--plan is missing: it is starter, growth, business, or scale.',
      '--owner-email is missing: it is the address of the first owner.',
    ]);
    expect(problem(['--name', ' ', ...WHOLE.slice(2)])).toHaveLength(1);
  });

  test('list the plans', () => {
    expect(problem([...WHOLE, '--plan', 'gold'])).toEqual([
      '--plan must be starter, growth, business, or scale, not "gold".',
    ]);
  });

  test.each([
    [['--nam', 'Acme'], "Unknown option '--nam'."],
    [['Acme'], "Unexpected argument 'Acme'."],
    [['--name'], "Option '--name <value>' argument missing."],
  ])('that are unknown are named: %j', (args, sentence) => {
    expect(problem(args)).toEqual([sentence]);
  });

  test('are reported with an example', () => {
    expect(() => readArguments([])).toThrow('For example: npm run workspace:create -- --name "Acme"');
  });
});
