import type { oas31 } from 'zod-openapi';
import { errorRef } from '#server/api/openapi/errors.ts';
import { exampleOf, type Schemas } from '#server/api/openapi/examples.ts';
import { AUTHENTICATED, headerRefs } from '#server/api/openapi/headers.ts';
import type { ApiOperation } from '#server/api/openapi/operations.ts';
import { successStatus } from '#server/api/openapi/success-status.ts';

/** What every call may be answered: no good token, no owner or admin any more, too many calls, a fault of ours. */
const OF_EVERY_CALL = [401, 403, 429, 500];
/** What a body adds: too large, not valid. */
const OF_A_BODY = [413, 422];

/**
 * All answers of an operation, by status.
 * @param generated what trpc-openapi made of the procedure: its errors are not ours, its success is
 */
export function responsesOf(
  { method, path, errorResponses, successDescription }: ApiOperation,
  generated: oas31.OperationObject,
  schemas: Schemas,
): oas31.ResponsesObject {
  const statuses = [
    ...OF_EVERY_CALL,
    ...(generated.requestBody ? OF_A_BODY : []),
    ...Object.keys(errorResponses).map(Number),
  ];
  const errors = [...new Set(statuses)].sort((a, b) => a - b);
  const status = successStatus(method, path);
  return {
    [status]: success(generated, schemas, successDescription ?? SUCCESS_DESCRIPTIONS[status]),
    ...Object.fromEntries(errors.map((code) => [code, errorRef(code, errorResponses[code])])),
  };
}

const SUCCESS_DESCRIPTIONS = { 200: 'It worked.', 201: 'It was created.' };

function success(
  { responses }: oas31.OperationObject,
  schemas: Schemas,
  description: string,
): oas31.ResponseObject {
  const schema = responses?.[200]?.content?.['application/json']?.schema ?? {};
  const example = exampleOf(schema, schemas);
  return {
    description,
    headers: headerRefs(...AUTHENTICATED),
    content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } },
  };
}
