import type { AnyProcedure, AnyRouter } from '@trpc/server';
import { z } from 'zod';

export const METHODS = ['get', 'post', 'patch', 'delete'] as const;
type Method = (typeof METHODS)[number];

/** What the document needs to know of a procedure besides what trpc-openapi reads off it. */
export type ApiOperation = {
  method: Method;
  path: string;
  /** Status → sentence, for the responses that this procedure has and others do not. */
  errorResponses: Record<string, string>;
  successDescription?: string | undefined;
  /** The fields of its input that may be left out. */
  optionalFields: ReadonlySet<string>;
  /** Examples of its whole input, if it has one, and of its fields. zod leaves those out of what it transforms. */
  example?: unknown;
  fieldExamples: Record<string, unknown>;
};

const metaSchema = z.object({
  openapi: z.object({
    method: z.string().toLowerCase().pipe(z.enum(METHODS)),
    path: z.string(),
    errorResponses: z.record(z.string(), z.string()).default({}),
    successDescription: z.string().optional(),
  }),
});

/** Every procedure of a router, identified by its own meta and input. */
export function apiOperations(router: AnyRouter): ApiOperation[] {
  const procedures: Record<string, AnyProcedure> = router._def.procedures;
  return Object.values(procedures).map(({ _def: { meta, inputs } }) => {
    const fields = inputs.flatMap(fieldsOf);
    return {
      ...metaSchema.parse(meta).openapi,
      // Judged by the field itself: what a schema that transforms takes for "not sent" shows in no JSON schema.
      optionalFields: new Set(
        fields.filter(([, field]) => field.safeParse(undefined).success).map(([name]) => name),
      ),
      example: inputs.map(exampleOf).find((example) => example !== undefined),
      fieldExamples: Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field)])),
    };
  });
}

function fieldsOf(input: unknown): [string, z.ZodType][] {
  if (input instanceof z.ZodPipe) return fieldsOf(input.in);
  return input instanceof z.ZodObject ? Object.entries(input.shape) : [];
}

function exampleOf(schema: unknown): unknown {
  return schema instanceof z.ZodType ? schema.meta()?.examples?.[0] : undefined;
}

export type SuccessStatus = 200 | 201;

/** A `POST` makes something and answers 201; only this one adds to something there, 200 (spec.md §4.2). */
const POST_THAT_CREATES_NOTHING = '/conversations/{id}/tags';

/** The status with which an operation of the contract succeeds. */
export function successStatus(method: string, path: string): SuccessStatus {
  return method.toLowerCase() === 'post' && path !== POST_THAT_CREATES_NOTHING ? 201 : 200;
}
