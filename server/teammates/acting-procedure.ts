import { Refusal } from '#server/errors.ts';
import { screenProcedure } from '#server/trpc.ts';

/** The sentence for viewers, who read only. */
export const VIEWERS_READ_ONLY =
  'Viewers of this workspace can read everything and change nothing. Ask an owner or admin for another role.';

/** A procedure of our screens that changes something in the inbox: for everybody but viewers (spec.md §1). */
export const actingProcedure = screenProcedure.use(({ ctx, next }) => {
  if (ctx.workspace.role === 'viewer') throw new Refusal('forbidden', VIEWERS_READ_ONLY);
  const actor = { kind: 'teammate' as const, teammate: ctx.user };
  return next({ ctx: { ...ctx, actor } });
});
