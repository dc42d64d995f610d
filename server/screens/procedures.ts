import { initTRPC, type TRPC_ERROR_CODE_KEY } from '@trpc/server';
import superjson from 'superjson';
import { z } from 'zod';
import { textProblems } from '#server/contract/text-input.ts';
import type { ReadBatch } from '#server/core/database/batch-reads.ts';
import {
  FAULT_MESSAGE,
  type FieldErrors,
  invalid,
  notFound,
  Refusal,
  refusalIn,
  STATUSES,
} from '#server/core/errors.ts';
import { hideUnseen, type NamedInputs } from '#server/screens/hide-unseen.ts';
import { PAGE_REFUSALS } from '#server/screens/page-refusals.ts';
import { ONLY_MANAGERS, ONLY_OWNERS } from '#server/teammates/require-role.ts';
import { isAdmin, VIEWERS_READ_ONLY } from '#server/teammates/roles.ts';
import type { SignedIn } from '#server/teammates/signed-in.ts';

/**
 * Context of a screen procedure: the request's headers, the session if any, and the batched reads of the
 * request.
 */
type ScreenContext = {
  headers: Headers;
  signedIn: SignedIn | null;
  reads: ReadBatch;
  /** An open page calls over HTTP, not a server component or action. */
  isOpenPage?: boolean;
};
/**
 * `hasWorkspace`: only for a signed-in teammate with an open workspace. `names`: the conversations that the input names, and what
 * belongs to one. For a teammate who does not see them they do not exist.
 */
type Meta = { hasWorkspace?: boolean; names?: NamedInputs };

const screen = initTRPC
  .context<ScreenContext>()
  .meta<Meta>()
  .create({
    // Serializes dates.
    transformer: superjson,
    errorFormatter: ({ shape, error }) => screenError(shape, error),
  });

export const screenRouter = screen.router;
/**
 * For anyone, signed in or not. A text that is too long or cannot be stored is refused under its field. Only forms reach a
 * mutation, because they also work without scripts and limit visitors.
 */
export const publicScreenProcedure = screen.procedure.use(async ({ ctx, type, meta, next }) => {
  if (ctx.isOpenPage && type === 'mutation' && !meta?.hasWorkspace) throw notFound('The procedure');
  const outcome = await next();
  const problems =
    !outcome.ok && outcome.error.cause instanceof z.ZodError && textProblems(outcome.error.cause);
  if (problems) throw invalid(problems);
  return outcome;
});
/** Header that names the workspace of the page that sends a request. A cross-site page cannot send it without a preflight. */
export const WORKSPACE_HEADER = 'x-workspace-id';
export const OTHER_WORKSPACE = 'Another workspace is open. Load the page again.';

/**
 * For a signed-in teammate with an open workspace. A change is refused when the page shows another one than is open: it was opened in
 * another tab, or the one of the page is closed to the teammate by now.
 */
export const screenProcedure = publicScreenProcedure
  .meta({ hasWorkspace: true })
  .use(({ ctx, type, next }) => {
    const { signedIn, headers } = ctx;
    if (!signedIn) throw new Refusal('forbidden', PAGE_REFUSALS.signedOut);
    if (!signedIn.workspace) throw new Refusal('forbidden', 'Sign in and open a workspace to see this.');
    const shownId = headers.get(WORKSPACE_HEADER) ?? signedIn.workspace.id;
    if (type === 'mutation' && shownId !== signedIn.workspace.id)
      throw new Refusal('forbidden', OTHER_WORKSPACE);
    return next({ ctx: { ...ctx, signedIn, user: signedIn.user, workspace: signedIn.workspace } });
  })
  .use(async ({ ctx: { workspace }, meta, next, getRawInput }) => {
    const { id: workspaceId, visibility } = workspace;
    if (!meta?.names || !visibility) return next();
    const { input, restore } = await hideUnseen(meta.names, await getRawInput(), { workspaceId, visibility });
    const outcome = await next({ getRawInput: async () => input });
    return outcome.ok ? { ...outcome, data: restore(outcome.data) } : outcome;
  });

/** For owners and admins of the open workspace. */
export const adminProcedure = screenProcedure.use(({ ctx, next }) => {
  if (!isAdmin(ctx.workspace.role)) throw new Refusal('forbidden', ONLY_MANAGERS);
  return next({ ctx });
});

/** For changes in the inbox: everyone but viewers (docs/spec.md §1). */
export const agentProcedure = screenProcedure.use(({ ctx, next }) => {
  if (ctx.workspace.role === 'viewer') throw new Refusal('forbidden', VIEWERS_READ_ONLY);
  const actor = { kind: 'teammate' as const, teammate: ctx.user };
  return next({ ctx: { ...ctx, actor } });
});

/** For owners of the open workspace. */
export const ownerProcedure = screenProcedure.use(({ ctx, next }) => {
  if (ctx.workspace.role !== 'owner') throw new Refusal('forbidden', ONLY_OWNERS);
  return next({ ctx });
});

/**
 * Returns the error that a page receives: the messages of a refusal, as in the API, and a general message for
 * an invalid request or a server error.
 */
function screenError<Shape extends { message: string; data: { httpStatus: number } }>(
  shape: Shape,
  error: { code: TRPC_ERROR_CODE_KEY; message: string } & Error,
): Shape & { data: { errors?: FieldErrors } } {
  const { stack: _stack, ...data } = shape.data as Shape['data'] & { stack?: string };
  const refusal = refusalIn(error);
  if (refusal) {
    const { message, errors } = refusal;
    const shown = { ...data, httpStatus: STATUSES[refusal.refusal], ...(errors ? { errors } : {}) };
    return { ...shape, message, data: shown };
  }
  const message = messages[error.code] ?? FAULT_MESSAGE;
  return { ...shape, message, data };
}

/** Messages for tRPC's own errors, whose original message would contain the input. */
const messages: Partial<Record<TRPC_ERROR_CODE_KEY, string>> = {
  BAD_REQUEST: 'The request is not valid.',
  PARSE_ERROR: 'The request is not valid.',
  NOT_FOUND: 'There is nothing at this address.',
  METHOD_NOT_SUPPORTED: 'Nothing can be changed here.',
};
