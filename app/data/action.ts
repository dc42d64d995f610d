import { revalidatePath } from 'next/cache';
import { unstable_rethrow } from 'next/navigation';
import { getScreens } from '#app/data/session.ts';
import { afterOutcome, type FormState } from '#app/lib/form-state.ts';
import { type Outcome, refusedBy } from '#app/lib/outcome.ts';

/** The screens' procedures, bound to the session of the request. */
type Screens = Awaited<ReturnType<typeof getScreens>>;

/** The path to revalidate. `/*` includes all pages below. Null revalidates nothing. */
type Shows = `/${string}` | null;

/**
 * Creates a server action: runs `work` as the signed-in teammate, revalidates the page and returns refusals as
 * outcomes. Procedures check permissions and validate arguments, which come from the browser.
 */
export function action<Args extends unknown[], Value>(
  shows: Shows,
  work: (screens: Screens, ...args: Args) => Promise<Value>,
): (...args: Args) => Promise<Outcome<Value>> {
  return (...args) => run(shows, (screens) => work(screens, ...args));
}

/**
 * Creates a server action for `useActionState`, which also works without JavaScript.
 * @param form.fields names of the fields that can have errors
 */
export function formAction<Value>(
  { shows, fields }: { shows: Shows; fields: readonly string[] },
  work: (screens: Screens, form: FormData) => Promise<Value>,
): (before: FormState<Value>, form: FormData) => Promise<FormState<Value>> {
  return async (before, form) => {
    const outcome = await run(shows, (screens) => work(screens, form));
    return afterOutcome(before, outcome, { form, fields });
  };
}

async function run<Value>(shows: Shows, work: (screens: Screens) => Promise<Value>): Promise<Outcome<Value>> {
  try {
    const value = await work(await getScreens());
    if (shows?.endsWith('/*')) revalidatePath(shows.slice(0, -2) || '/', 'layout');
    else if (shows) revalidatePath(shows);
    return { done: true, value };
  } catch (error) {
    // Next.js throws redirects, too.
    unstable_rethrow(error);
    return refusedBy(error);
  }
}
