import { initTRPC } from '@trpc/server';
import superjson from 'superjson';
import type { ReadsTogether } from '#server/core/database/reads.ts';
import { Refusal } from '#server/core/errors.ts';
import { screenError } from '#server/screens/screen-error.ts';
import type { SignedIn } from '#server/teammates/signed-in.ts';

/** What a procedure of our own screens knows: the request's headers, who is signed in, if anyone, and what gathers the request's reads. */
export type ScreenContext = { headers: Headers; signedIn: SignedIn | null; reads: ReadsTogether };
const screen = initTRPC.context<ScreenContext>().create({
  // Dates stay dates on their way to a page.
  transformer: superjson,
  errorFormatter: ({ shape, error }) => screenError(shape, error),
});

/** A router of our screens' procedures. */
export const screenRouter = screen.router;
/** A procedure that anyone may call. */
export const publicScreenProcedure = screen.procedure;
/** A procedure for a signed-in teammate with an open workspace. */
export const screenProcedure = screen.procedure.use(({ ctx, next }) => {
  const { signedIn } = ctx;
  if (!signedIn?.workspace) throw new Refusal('forbidden', 'Sign in and open a workspace to see this.');
  return next({ ctx: { ...ctx, signedIn, user: signedIn.user, workspace: signedIn.workspace } });
});
