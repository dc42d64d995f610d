import { Refusal } from '#server/errors.ts';
import { ONLY_OWNERS } from '#server/teammates/require-role.ts';
import { screenProcedure } from '#server/trpc.ts';

/** A procedure of our screens for owners of the open workspace. */
export const owningProcedure = screenProcedure.use(({ ctx, next }) => {
  if (ctx.workspace.role !== 'owner') throw new Refusal('forbidden', ONLY_OWNERS);
  return next({ ctx });
});
