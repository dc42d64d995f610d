import { z } from 'zod';
import automation from '../../../openapi.json' with { type: 'json' };
import developer from '../../../openapi-developer.json' with { type: 'json' };

/** The parts of a JSON schema that the reference shows. */
export type Schema = {
  $ref?: string | undefined;
  type?: string | string[] | undefined;
  format?: string | undefined;
  description?: string | undefined;
  enum?: unknown[] | undefined;
  const?: unknown;
  maxLength?: number | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  items?: Schema | undefined;
  properties?: Record<string, Schema> | undefined;
  required?: string[] | undefined;
  anyOf?: Schema[] | undefined;
  oneOf?: Schema[] | undefined;
  examples?: unknown[] | undefined;
};

const schema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    format: z.string().optional(),
    description: z.string().optional(),
    enum: z.array(z.unknown()).optional(),
    const: z.unknown().optional(),
    maxLength: z.number().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    items: schema.optional(),
    properties: z.record(z.string(), schema).optional(),
    required: z.array(z.string()).optional(),
    anyOf: z.array(schema).optional(),
    oneOf: z.array(schema).optional(),
    examples: z.array(z.unknown()).optional(),
  }),
);

const media = z.object({ schema, example: z.unknown().optional() });
const content = z.object({ 'application/json': media });
const response = z.object({
  $ref: z.string().optional(),
  description: z.string().optional(),
  content: content.optional(),
});
const operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string(),
  tags: z.tuple([z.string()]),
  security: z.array(z.unknown()),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.enum(['path', 'query', 'header']),
        required: z.boolean().optional(),
        description: z.string(),
        example: z.unknown().optional(),
        schema,
      }),
    )
    .default([]),
  requestBody: z.object({ content: content.extend({ 'multipart/form-data': media }).partial() }).optional(),
  responses: z.record(z.string(), response),
});

export type Operation = z.output<typeof operation>;
export type Response = z.output<typeof response>;

/** The parts of an OpenAPI document that a reference shows. */
const contract = z.object({
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  webhooks: z.record(z.string(), z.object({ post: operation })).default({}),
  components: z.object({
    schemas: z.record(z.string(), schema),
    responses: z.record(z.string(), response),
  }),
});

export type Contract = z.output<typeof contract>;

/** The committed documents of both APIs. */
export const automationContract = contract.parse(automation);
export const developerContract = contract.parse(developer);

/** Returns the last part of a reference: `Contact` of `#/components/schemas/Contact`. */
export function refName(ref: string): string {
  return ref.split('/').at(-1) ?? ref;
}
