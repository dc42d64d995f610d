import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-openapi';
import type { z } from 'zod';
import { checkRecord, type RecordCheck } from '#server/api/check-record.ts';
import type { Writer } from '#server/api/write-change.ts';
import type { Caller } from '#server/automation/connections/find-caller.ts';

/** Context of a procedure. The HTTP handler has authenticated the caller. A procedure writes its change with `write` or `transact`. */
type ApiContext = { caller: Caller } & Writer;

/** Separate from the router of the screens: a token cannot call their procedures, nor a session these. */
export const api = initTRPC.context<ApiContext>().meta<OpenApiMeta>().create();

/** Starts a procedure with its method, path and texts for `openapi.json`. */
export function apiProcedure(openapi: NonNullable<OpenApiMeta['openapi']>) {
  return api.procedure.meta({ openapi });
}

/** `checkRecord` as a middleware, for a procedure about the record that its path names. */
export function refuseUnknown(schema: z.ZodType, record: RecordCheck) {
  return api.middleware(async ({ ctx, getRawInput, next }) => {
    await checkRecord(ctx.caller.workspace.id, await getRawInput(), { schema, ...record });
    return next();
  });
}

/** Returns the actor of changes through the API: the platform on behalf of the teammate who connected. */
export function workflowActor({ teammate, connectionId }: Caller) {
  return { kind: 'workflow' as const, teammate, connectionId };
}
