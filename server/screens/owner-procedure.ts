import { Refusal } from '#server/ground/errors.ts';
import { ONLY_OWNERS } from '#server/people/teammates/require-role.ts';
import { screenProcedure } from '#server/screens/procedures.ts';

/** A procedure of our screens for owners of the open workspace. */
export const ownerProcedure = screenProcedure.use(({ ctx, next }) => {
  if (ctx.workspace.role !== 'owner') throw new Refusal('forbidden', ONLY_OWNERS);
  return next({ ctx });
});
