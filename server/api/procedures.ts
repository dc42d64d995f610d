import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-openapi';
import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import type { WriteChange } from '#server/api/write-change.ts';
import type { Caller } from '#server/automation/connections/find-caller.ts';
import { fieldErrors } from '#server/contract/fields.ts';
import { type FieldErrors, invalid, notFound } from '#server/core/errors.ts';

/** Context of a procedure. The HTTP handler has authenticated the caller. A `POST` writes its change with `write`. */
type ApiContext = { caller: Caller; write: WriteChange };

/** Separate from the router of the screens: a token cannot call their procedures, nor a session these. */
export const api = initTRPC.context<ApiContext>().meta<OpenApiMeta>().create();

/** Starts a procedure with its method, path and texts for `openapi.json`. */
export function apiProcedure(openapi: NonNullable<OpenApiMeta['openapi']>) {
  return api.procedure.meta({ openapi });
}

type Which = { workspaceId: string; id: string };

/**
 * For a procedure about the record that its path names: validates the input, and refuses an unknown record before invalid
 * values (docs/rulings.md 2.1). A valid call sends no further statement, because the change looks the record up itself.
 * @param schema the procedure's input
 * @param record.what the record in a sentence, for example `The contact`
 * @param record.findProblems finds what else is wrong, by field, so that one response reports every invalid field
 *   (docs/rulings.md 2.11)
 */
export function refuseUnknown(
  schema: z.ZodType,
  record: {
    what: string;
    exists: (which: Which) => Promise<boolean>;
    findProblems?: (which: Which, input: Record<string, unknown>) => Promise<FieldErrors>;
  },
) {
  return api.middleware(async ({ ctx, getRawInput, next }) => {
    const input = objectOf(await getRawInput());
    const { error } = schema.safeParse(input);
    if (!error) return next();
    const which = { workspaceId: ctx.caller.workspace.id, id: typeof input.id === 'string' ? input.id : '' };
    if (!isUuid(which.id) || !(await record.exists(which))) throw notFound(record.what);
    throw invalid({ ...fieldErrors(error), ...(await record.findProblems?.(which, input)) });
  });
}

/** Returns the fields of an input that are valid by themselves. */
export function parseValidFields<Shape extends z.ZodRawShape>(
  shape: Shape,
  input: Record<string, unknown>,
): Partial<z.output<z.ZodObject<Shape>>> {
  const parsed = Object.entries(shape).map(
    ([name, field]) => [name, z.safeParse(field, input[name])] as const,
  );
  return Object.fromEntries(
    parsed.flatMap(([name, result]) => (result.success ? [[name, result.data]] : [])),
  ) as Partial<z.output<z.ZodObject<Shape>>>;
}

function objectOf(input: unknown): Record<string, unknown> {
  return typeof input === 'object' && input !== null ? { ...input } : {};
}

/** Returns the actor of changes through the API: the platform on behalf of the teammate who connected. */
export function workflowActor({ teammate, connectionId }: Caller) {
  return { kind: 'workflow' as const, teammate, connectionId };
}
