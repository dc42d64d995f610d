import { redirect } from 'next/navigation';
import { beforeEach, expect, test, vi } from 'vitest';
import { action, formAction } from '#app/data/action.ts';
import { INITIAL } from '#app/lib/form-state.ts';

const revalidatePath = vi.hoisted(() => vi.fn());
vi.mock('next/cache', () => ({ revalidatePath }));
vi.mock('#app/data/session.ts', () => ({ getScreens: async () => ({}) }));
beforeEach(() => void revalidatePath.mockClear());

/** A refusal as a procedure throws it, recognized by its fields. */
const REFUSAL = Object.assign(new Error('The team (team_id) must be a team of this workspace.'), {
  refusal: 'invalid',
  errors: { team: ['The team (team_id) must be a team of this workspace.'] },
});
const SENTENCE = 'The team must be a team of this workspace.';

test('returns the result and revalidates the page', async () => {
  const double = action('/settings/teams', async (_screens, number: number) => number * 2);
  expect(await double(21)).toEqual({ done: true, value: 42 });
  expect(revalidatePath).toHaveBeenCalledExactlyOnceWith('/settings/teams');
});

test('revalidates all pages below for a star, and none without a path', async () => {
  await action('/contacts/*', async () => {})();
  expect(revalidatePath).toHaveBeenLastCalledWith('/contacts', 'layout');
  await action('/*', async () => {})();
  expect(revalidatePath).toHaveBeenLastCalledWith('/', 'layout');
  await action(null, async () => {})();
  expect(revalidatePath).toHaveBeenCalledTimes(2);
});

test('returns a refusal as an outcome without API field names, and revalidates nothing', async () => {
  const refuse = action('/inbox', async () => {
    throw new Error('wrapped', { cause: REFUSAL });
  });
  expect(await refuse()).toEqual({ done: false, problem: SENTENCE, fields: { team: SENTENCE } });
  expect(revalidatePath).not.toHaveBeenCalled();
});

test('an outcome reveals no internal error', async () => {
  const fault = action(null, async () => {
    throw new Error('connect ECONNREFUSED 127.0.0.1:5432');
  });
  expect(JSON.stringify(await fault())).not.toContain('ECONNREFUSED');
});

test('rethrows a redirect', async () => {
  await expect(action(null, async () => redirect('/inbox'))()).rejects.toThrow('NEXT_REDIRECT');
});

test('returns the next state to a form without JavaScript', async () => {
  const rename = formAction<void>({ shows: null, fields: ['name'] }, async () => {
    throw REFUSAL;
  });
  const form = new FormData();
  form.set('name', 'Billing');
  expect(await rename(INITIAL, form)).toEqual({
    ...INITIAL,
    values: { name: 'Billing' },
    problem: SENTENCE,
    attempt: 1,
  });
});
