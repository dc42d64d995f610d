import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-openapi';
import { validate as isUuid } from 'uuid';
import { isInvalidInput } from '#server/api/error-response.ts';
import type { Caller } from '#server/automation/connections/find-caller.ts';
import { notFound } from '#server/core/errors.ts';

/** What a procedure of the REST contract knows: whom the call acts as. The adapter has authenticated it. */
type ApiContext = { caller: Caller };

/** Two separate worlds: a token never opens a screen's procedure, nor a session one of the contract. */
const api = initTRPC.context<ApiContext>().meta<OpenApiMeta>().create();

/** A router, a procedure and a middleware of the REST contract. */
export const apiRouter = api.router;

export const makeApiCaller = api.createCallerFactory;

export const apiProcedure = api.procedure;

export const apiMiddleware = api.middleware;

/**
 * For a procedure about the record that its path names: one that is not there is refused before what is wrong with
 * the values sent for it (decisions: requests and errors, 1). It comes before the input and looks only when the
 * values were refused, so that a good call costs nothing more.
 * @param what the record in a sentence, for example `The contact`
 */
export function refuseUnknown(
  what: string,
  exists: (which: { workspaceId: string; id: string }) => Promise<boolean>,
) {
  return apiMiddleware(async ({ ctx, getRawInput, next }) => {
    const result = await next();
    if (result.ok || !isInvalidInput(result.error)) return result;
    const id = idIn(await getRawInput());
    if (!isUuid(id) || !(await exists({ workspaceId: ctx.caller.workspace.id, id }))) throw notFound(what);
    return result;
  });
}

/** Returns the id of the path, which is in the input. */
function idIn(input: unknown): string {
  const id = typeof input === 'object' && input !== null && 'id' in input ? input.id : undefined;
  return typeof id === 'string' ? id : '';
}

/** The platform, acting as the teammate who connected: the actor of every change through the API. */
export function workflowActor({ teammate, connectionId }: Caller) {
  return { kind: 'workflow' as const, teammate, connectionId };
}
