import { Refusal } from '#server/errors.ts';
import { ONLY_MANAGERS } from '#server/teammates/require-role.ts';
import { isManaging } from '#server/teammates/roles.ts';
import { screenProcedure } from '#server/trpc.ts';

/** A procedure of our screens for owners and admins of the open workspace. */
export const managingProcedure = screenProcedure.use(({ ctx, next }) => {
  if (!isManaging(ctx.workspace.role)) throw new Refusal('forbidden', ONLY_MANAGERS);
  return next({ ctx });
});
