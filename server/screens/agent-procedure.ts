import { Refusal } from '#server/core/errors.ts';
import { screenProcedure } from '#server/screens/procedures.ts';
import { VIEWERS_READ_ONLY } from '#server/teammates/roles.ts';

/** A procedure of our screens that changes something in the inbox: for everyone but viewers (spec.md §1). */
export const agentProcedure = screenProcedure.use(({ ctx, next }) => {
  if (ctx.workspace.role === 'viewer') throw new Refusal('forbidden', VIEWERS_READ_ONLY);
  const actor = { kind: 'teammate' as const, teammate: ctx.user };
  return next({ ctx: { ...ctx, actor } });
});
