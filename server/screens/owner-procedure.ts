import { Refusal } from '#server/core/errors.ts';
import { screenProcedure } from '#server/screens/procedures.ts';
import { ONLY_OWNERS } from '#server/teammates/require-role.ts';

/** A procedure of our screens for owners of the open workspace. */
export const ownerProcedure = screenProcedure.use(({ ctx, next }) => {
  if (ctx.workspace.role !== 'owner') throw new Refusal('forbidden', ONLY_OWNERS);
  return next({ ctx });
});
