import { Refusal } from '#server/core/errors.ts';
import { screenProcedure } from '#server/screens/procedures.ts';
import { ONLY_MANAGERS } from '#server/teammates/require-role.ts';
import { isAdmin } from '#server/teammates/roles.ts';

/** A procedure of our screens for owners and admins of the open workspace. */
export const adminProcedure = screenProcedure.use(({ ctx, next }) => {
  if (!isAdmin(ctx.workspace.role)) throw new Refusal('forbidden', ONLY_MANAGERS);
  return next({ ctx });
});
