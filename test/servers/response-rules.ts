import { readFileSync } from 'node:fs';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { oas31 } from 'zod-openapi';
import { DOCUMENT_PATH } from '#server/api/openapi/describe-procedures.ts';

/** A header of the contract. `problem` returns why a value does not match. */
export type HeaderRule = { name: string; required: boolean; problem: (value: unknown) => string | undefined };

/** The rules for a response with one status. */
export type ResponseRule = { headers: HeaderRule[]; bodyProblem: (body: unknown) => string | undefined };

/** An operation's responses by status. */
export type OperationRule = { responses: Map<number, ResponseRule> };

/** The operations of a path, by method in uppercase. */
export type PathRule = { segments: string[]; operations: Map<string, OperationRule> };

/** The rules of a contract. `errorProblem` validates that a body is an error: `{message}`. */
export type ContractRules = { paths: PathRule[]; errorProblem: (body: unknown) => string | undefined };

/**
 * Returns the rules of a contract in its committed version: the promise to clients, whatever the code generates now. Each
 * schema is compiled once per process, on its first use. Clients ignore fields that they do not know, but our responses have
 * none that the contract leaves out.
 * @param file name in the project, such as `openapi.json`
 */
export function rulesOf(file: string): ContractRules {
  const contract = withoutOtherFields<oas31.OpenAPIObject>(
    JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')),
  );
  const ajv = new Ajv2020({ strict: false, allErrors: true, coerceTypes: false });
  addFormats.default(ajv);
  ajv.addSchema(contract, 'contract', undefined, false);
  const reader = { contract, problemBy: (pointer: string) => problemBy(ajv, pointer) };
  const paths = Object.entries(contract.paths ?? {}).map(([path, operations]) => ({
    segments: path.split('/').slice(1),
    operations: new Map(
      Object.entries(operations).map(([method, operation]) => [
        method.toUpperCase(),
        { responses: responsesOf(reader, operation, `/paths/${escaped(path)}/${method}`) },
      ]),
    ),
  }));
  return { paths, errorProblem: reader.problemBy('/components/schemas/Error') };
}

/** Refuses fields that the schemas of a contract do not name, except of the document, whose response is only outlined. */
function withoutOtherFields<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutOtherFields) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    key === DOCUMENT_PATH ? inner : withoutOtherFields(inner),
  ]);
  const isRecord = 'type' in value && value.type === 'object' && 'properties' in value;
  return { ...Object.fromEntries(entries), ...(isRecord ? { additionalProperties: false } : {}) } as T;
}

/** A contract, and a function that returns why a value does not match the schema at a JSON pointer. */
type Reader = {
  contract: oas31.OpenAPIObject;
  problemBy: (pointer: string) => (value: unknown) => string | undefined;
};

function responsesOf(
  reader: Reader,
  operation: oas31.OperationObject,
  at: string,
): Map<number, ResponseRule> {
  return new Map(
    Object.entries(operation.responses ?? {}).map(([status, response]) => {
      const [found, where] = followed<oas31.ResponseObject>(reader, response, `${at}/responses/${status}`);
      return [
        Number(status),
        {
          headers: Object.entries(found.headers ?? {}).map(([name, header]) =>
            headerRule(reader, name, header, where),
          ),
          bodyProblem: reader.problemBy(`${where}/content/application~1json/schema`),
        },
      ];
    }),
  );
}

function headerRule(
  reader: Reader,
  name: string,
  header: oas31.HeaderObject | oas31.ReferenceObject,
  at: string,
): HeaderRule {
  const [found, where] = followed<oas31.HeaderObject>(reader, header, `${at}/headers/${escaped(name)}`);
  const problem = reader.problemBy(`${where}/schema`);
  const isNumber =
    'schema' in found && found.schema && 'type' in found.schema && found.schema.type === 'integer';
  return {
    name,
    required: found.required === true,
    problem: (value) => problem(isNumber && /^\d+$/.test(String(value)) ? Number(value) : value),
  };
}

/** Resolves a reference. Returns the value and its JSON pointer. */
function followed<T extends object>(
  { contract }: Reader,
  value: T | oas31.ReferenceObject,
  at: string,
): [T, string] {
  if (!('$ref' in value)) return [value, at];
  const where = value.$ref.slice(1);
  const found = where
    .split('/')
    .slice(1)
    .reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], contract);
  return [found as T, where];
}

function problemBy(ajv: Ajv2020, pointer: string): (value: unknown) => string | undefined {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= ajv.compile({ $ref: `contract#${pointer}` });
    return validate(value) ? undefined : describe(validate.errors ?? []);
  };
}

/** Lists the first five errors, as a schema with alternatives can have many. */
function describe(errors: ErrorObject[]): string {
  return errors
    .slice(0, 5)
    .map(
      ({ instancePath, message, params }) => `${instancePath || 'it'} ${message} ${JSON.stringify(params)}`,
    )
    .join('; ');
}

function escaped(key: string): string {
  return encodeURI(key.replaceAll('~', '~0').replaceAll('/', '~1'));
}
