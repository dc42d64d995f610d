import type { AnyProcedure, AnyRouter } from '@trpc/server';
import { z } from 'zod';
import type { oas31 } from 'zod-openapi';
import { KEY_HEADER, KEY_MAX_LENGTH, KEY_PATTERN } from '#server/api/idempotent-call.ts';
import { exampleOf, parameterExample, type Schemas } from '#server/api/openapi/examples.ts';
import { type DocumentFormat, errorRef, headerRefs } from '#server/api/openapi/responses.ts';

const METHODS = ['get', 'post', 'patch', 'delete'] as const;
type Method = (typeof METHODS)[number];

/** Parts of an operation that trpc-openapi does not generate. */
export type ApiOperation = {
  method: Method;
  path: string;
  /** Descriptions by status, for responses with a special meaning in this operation. */
  errorResponses: Record<string, string>;
  successDescription?: string | undefined;
  /** Input fields that may be omitted. */
  optionalFields: ReadonlySet<string>;
  /** Examples of the complete input and of its fields. zod drops them from schemas that transform. */
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

/** Reads the operations from the meta and inputs of the procedures. */
export function apiOperations(router: AnyRouter): ApiOperation[] {
  const procedures: Record<string, AnyProcedure> = router._def.procedures;
  return Object.values(procedures).map(({ _def: { meta, inputs } }) => {
    const fields = inputs.flatMap(fieldsOf);
    return {
      ...metaSchema.parse(meta).openapi,
      // Ask the field itself: the JSON schema of a transform does not show that it accepts undefined.
      optionalFields: new Set(
        fields.filter(([, field]) => field.safeParse(undefined).success).map(([name]) => name),
      ),
      example: inputs.map(zodExampleOf).find((example) => example !== undefined),
      fieldExamples: Object.fromEntries(fields.map(([name, field]) => [name, zodExampleOf(field)])),
    };
  });
}

function fieldsOf(input: unknown): [string, z.ZodType][] {
  if (input instanceof z.ZodPipe) return fieldsOf(input.in);
  return input instanceof z.ZodObject ? Object.entries(input.shape) : [];
}

function zodExampleOf(schema: unknown): unknown {
  return schema instanceof z.ZodType ? schema.meta()?.examples?.[0] : undefined;
}

export type SuccessStatus = 200 | 201;

/** Every other `POST` creates a record and returns 201 (docs/spec.md §4.2). */
const CREATE_NOTHING = ['/conversations/{id}/tags', '/contacts/{id}/merge', '/conversations/{id}/merge'];

/** Returns the status with which an operation succeeds. */
export function successStatus(method: string, path: string): SuccessStatus {
  return method.toLowerCase() === 'post' && !CREATE_NOTHING.includes(path) ? 201 : 200;
}

const JSON_TYPE = 'application/json';

/** Adds responses, examples and the idempotency key to an operation that trpc-openapi generated. */
export function completeOperation(
  operation: ApiOperation,
  generated: oas31.OperationObject,
  { schemas, format }: { schemas: Schemas; format: DocumentFormat },
): oas31.OperationObject {
  const { parameters, requestBody, responses: _, ...rest } = generated;
  const body = requestBody && !('$ref' in requestBody) ? requestBody : undefined;
  const completed = [
    ...(parameters ?? []).map((one) => completeParameter(one, operation, schemas)),
    ...(operation.method === 'post' ? [KEY_PARAMETER] : []),
  ];
  return {
    ...rest,
    security: format.security,
    ...(completed.length > 0 ? { parameters: completed } : {}),
    ...(body ? { requestBody: completeBody(body, operation, { schemas, format }) } : {}),
    responses: responsesOf(operation, generated, { schemas, format }),
  };
}

/** The header that every POST accepts (docs/rulings.md 2.10). */
const KEY_PARAMETER: oas31.ParameterObject = {
  name: KEY_HEADER,
  in: 'header',
  required: false,
  description:
    'Makes the call safe to repeat: a unique value for each request, such as a UUID. For 24 hours, the ' +
    'same key with the same path and body returns the first response, with `Idempotent-Replayed: true`. ' +
    'Another path or body returns `422`. Reuse a key only to repeat a call whose response you did not ' +
    'receive.',
  schema: { type: 'string', minLength: 1, maxLength: KEY_MAX_LENGTH, pattern: KEY_PATTERN },
  example: '0f8f1d7c-6f0e-4c53-9a3b-2f1f8f3f6d0a',
};

function completeParameter(
  parameter: oas31.ParameterObject | oas31.ReferenceObject,
  { path, fieldExamples, optionalFields }: ApiOperation,
  schemas: Schemas,
): oas31.ParameterObject | oas31.ReferenceObject {
  if ('$ref' in parameter) return parameter;
  const description = parameter.description ?? descriptionOf(parameter.schema);
  const example = fieldExamples[parameter.name] ?? parameterExample(parameter, path, schemas);
  return {
    ...parameter,
    ...(optionalFields.has(parameter.name) ? {} : { required: true }),
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { example }),
  };
}

/** Finds the description of an optional parameter, whose schema is wrapped: zod-openapi only reads the outer one. */
function descriptionOf(schema: oas31.ParameterObject['schema']): string | undefined {
  return schema && !('$ref' in schema) ? schema.description : undefined;
}

/** Corrects `required`: zod reports a field with a transform as required even if it may be omitted. */
function completeBody(
  body: oas31.RequestBodyObject,
  { method, path, optionalFields, example, fieldExamples }: ApiOperation,
  { schemas, format }: { schemas: Schemas; format: DocumentFormat },
): oas31.RequestBodyObject {
  const [type = JSON_TYPE, { schema = {} } = {}] = Object.entries(body.content)[0] ?? [];
  if ('$ref' in schema) return body;
  const required = schema.required?.filter((name) => !optionalFields.has(name)) ?? [];
  const { required: _, ...rest } = schema;
  const completed = {
    ...rest,
    ...(required.length ? { required } : {}),
    ...(format.neverEmpty.includes(`${method} ${path}`) ? { minProperties: 1 } : {}),
  };
  return {
    description: type === JSON_TYPE ? 'A JSON object.' : 'A form with one file.',
    ...body,
    content: {
      [type]: { schema: completed, example: example ?? exampleOf(completed, schemas, fieldExamples) },
    },
  };
}

/** Error statuses of every operation: invalid token, role lost, too many calls, internal error. */
const OF_EVERY_CALL = [401, 403, 429, 500];
/** Error statuses of operations that accept an idempotency key: malformed key, first request in progress, used for another request. */
const OF_A_KEY = [400, 409, 422];
/** Error statuses of operations with a body: too large, invalid. */
const OF_A_BODY = [413, 422];

/**
 * Describes all responses of an operation, by status.
 * @param generated by trpc-openapi: its success response is used, its error responses are not
 */
function responsesOf(
  { method, path, errorResponses, successDescription }: ApiOperation,
  generated: oas31.OperationObject,
  { schemas, format }: { schemas: Schemas; format: DocumentFormat },
): oas31.ResponsesObject {
  const statuses = [
    ...OF_EVERY_CALL,
    ...(method === 'post' ? OF_A_KEY : []),
    ...(generated.requestBody ? OF_A_BODY : []),
    ...Object.keys(errorResponses).map(Number),
  ];
  const errors = [...new Set(statuses)].sort((a, b) => a - b);
  const status = successStatus(method, path);
  return {
    [status]: success(generated, schemas, {
      description: successDescription ?? SUCCESS_DESCRIPTIONS[status],
      headers: headerRefs(format, [
        ...format.authenticated,
        ...(method === 'post' ? ['Idempotent-Replayed'] : []),
      ]),
    }),
    ...Object.fromEntries(errors.map((code) => [code, errorRef(code, errorResponses[code])])),
  };
}

const SUCCESS_DESCRIPTIONS = { 200: 'Success.', 201: 'Created.' };

function success(
  { responses }: oas31.OperationObject,
  schemas: Schemas,
  { description, headers }: { description: string; headers: oas31.HeadersObject },
): oas31.ResponseObject {
  const schema = responses?.[200]?.content?.['application/json']?.schema ?? {};
  const example = exampleOf(schema, schemas);
  return {
    description,
    headers,
    content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } },
  };
}
