import { revalidatePath } from 'next/cache';
import { unstable_rethrow } from 'next/navigation';
import { getScreens } from '#app/data/session.ts';
import { afterOutcome, type FormState } from '#app/lib/form-state.ts';
import { type Outcome, refusedBy } from '#app/lib/outcome.ts';

/** The procedures of our screens, bound to the session of the request. */
type Screens = Awaited<ReturnType<typeof getScreens>>;

/** The page that shows what is changed; with `/*` all pages below as well; null when no page has to follow. */
type Shows = `/${string}` | null;

/**
 * The one way in which a screen changes something: calls procedures as the signed-in teammate, has the page that shows
 * the change rendered again, and turns a refusal into an outcome. Who may do what is decided by the procedures, and
 * so is what a value must be: arguments come from a browser.
 */
export function action<Args extends unknown[], Value>(
  shows: Shows,
  work: (screens: Screens, ...args: Args) => Promise<Value>,
): (...args: Args) => Promise<Outcome<Value>> {
  return (...args) => run(shows, (screens) => work(screens, ...args));
}

/**
 * The same for a form that also works without JavaScript: the action of `useActionState`.
 * @param form.fields the fields of the form that can be at fault, by name
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
    // A redirect of Next's is thrown too.
    unstable_rethrow(error);
    return refusedBy(error);
  }
}
