import { redirect } from 'next/navigation';
import { beforeEach, expect, test, vi } from 'vitest';
import { action, formAction } from '#app/data/action.ts';
import { INITIAL } from '#app/lib/form-state.ts';

const revalidatePath = vi.hoisted(() => vi.fn());
vi.mock('next/cache', () => ({ revalidatePath }));
vi.mock('#app/data/session.ts', () => ({ getScreens: async () => ({}) }));
beforeEach(() => void revalidatePath.mockClear());

/** A refusal as it comes out of a procedure: known by its fields. */
const REFUSAL = Object.assign(new Error('The team (team_id) must be a team of this workspace.'), {
  refusal: 'invalid',
  errors: { team: ['The team (team_id) must be a team of this workspace.'] },
});
const SENTENCE = 'The team must be a team of this workspace.';

test('what is done is returned, and the page that shows it is rendered again', async () => {
  const double = action('/settings/teams', async (_screens, number: number) => number * 2);
  expect(await double(21)).toEqual({ done: true, value: 42 });
  expect(revalidatePath).toHaveBeenCalledExactlyOnceWith('/settings/teams');
});

test('with a star all pages below are rendered again, and without a page none is', async () => {
  await action('/contacts/*', async () => {})();
  expect(revalidatePath).toHaveBeenLastCalledWith('/contacts', 'layout');
  await action('/*', async () => {})();
  expect(revalidatePath).toHaveBeenLastCalledWith('/', 'layout');
  await action(null, async () => {})();
  expect(revalidatePath).toHaveBeenCalledTimes(2);
});

test('a refusal is an outcome, in the words of the screens, and nothing is rendered again', async () => {
  const refuse = action('/inbox', async () => {
    throw new Error('wrapped', { cause: REFUSAL });
  });
  expect(await refuse()).toEqual({ done: false, problem: SENTENCE, fields: { team: SENTENCE } });
  expect(revalidatePath).not.toHaveBeenCalled();
});

test('no one learns from an outcome what broke inside', async () => {
  const fault = action(null, async () => {
    throw new Error('connect ECONNREFUSED 127.0.0.1:5432');
  });
  expect(JSON.stringify(await fault())).not.toContain('ECONNREFUSED');
});

test('a redirect goes through', async () => {
  await expect(action(null, async () => redirect('/inbox'))()).rejects.toThrow('NEXT_REDIRECT');
});

test('a form without JavaScript gets its next state', async () => {
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
