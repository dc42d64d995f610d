import { describeField, describeFields, recordName } from '#server/screens/docs/describe-field.ts';
import {
  type Contract,
  type Operation,
  type Response,
  refName,
} from '#server/screens/docs/openapi-schema.ts';
import type { FieldView, OperationView, ResponseView } from '#server/screens/docs/views.ts';

/** Describes a call, with an example of its request and its response. */
export function describeOperation(
  contract: Contract,
  { method, path, operation }: { method: string; path: string; operation: Operation },
): OperationView {
  const { operationId, summary, description, security, requestBody } = operation;
  const responses = Object.entries(operation.responses).map(([status, response]) =>
    describeResponse(contract, status, response),
  );
  const [success, ...errors] = responses;
  if (!success) throw new Error(`${method} ${path} has no response.`);
  const { 'application/json': json, 'multipart/form-data': form } = requestBody?.content ?? {};
  const body = json ?? form;
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    summary,
    description,
    needsToken: security.length > 0,
    pathFields: parametersIn(contract, operation, 'path'),
    queryFields: parametersIn(contract, operation, 'query'),
    headerFields: parametersIn(contract, operation, 'header'),
    bodyFields: body ? describeFields(contract, body.schema) : [],
    exampleTarget: exampleTarget(path, operation),
    exampleBody: json ? pretty(json.example) : null,
    exampleFile: form
      ? (Object.keys(form.schema.properties ?? {}).map((name) => `${name}=@invoice.pdf`)[0] ?? null)
      : null,
    success,
    errors,
  };
}

export function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function parametersIn(
  contract: Contract,
  { parameters }: Operation,
  place: 'path' | 'query' | 'header',
): FieldView[] {
  return parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, schema, required = false, description }) =>
      describeField(contract, { name, schema: { ...schema, description }, required }),
    );
}

/** Returns the path with example parameters, and the first query parameter as an example. */
function exampleTarget(path: string, { parameters }: Operation): string {
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((target, { name, example }) => target.replace(`{${name}}`, String(example)), path);
  const first = parameters.find((parameter) => parameter.in === 'query');
  return first ? `${filled}?${new URLSearchParams({ [first.name]: String(first.example) })}` : filled;
}

function describeResponse(contract: Contract, status: string, { $ref, ...own }: Response): ResponseView {
  const shared = $ref ? contract.components.responses[refName($ref)] : undefined;
  const content = (own.content ?? shared?.content)?.['application/json'];
  return {
    status,
    description: own.description ?? shared?.description ?? '',
    record: content ? recordName(content.schema) : null,
    isList: content?.schema.items !== undefined,
    example: content?.example === undefined ? null : pretty(content.example),
    isParticular: own.description !== undefined,
  };
}
