import { JOURNEY, type Stop } from './journey.ts';
import { type Operation, readOperations } from './openapi.ts';

/**
 * Returns the collection in Bruno's format: file contents by file name.
 * @throws when the journey has an unknown operation or lacks one
 */
export function makeCollection(): Map<string, string> {
  const operations = new Map(readOperations().map((operation) => [operation.operationId, operation]));
  const files = new Map([
    [
      'bruno.json',
      `${JSON.stringify({ version: '1', name: 'Automation API', type: 'collection' }, null, 2)}\n`,
    ],
    ['collection.bru', COLLECTION],
    ['environments/local.bru', ENVIRONMENT],
  ]);
  const folders = new Set<string>();
  for (const [index, stop] of JOURNEY.entries()) {
    const operation = operations.get(stop.operationId);
    if (!operation) throw new Error(`openapi.json has no ${stop.operationId}.`);
    operations.delete(stop.operationId);
    const [folder = ''] = operation.tags;
    // Bruno runs folders, and the requests in each folder, in the order of `seq`.
    folders.add(folder);
    const place = [...folders].indexOf(folder) + 1;
    files.set(`${folder}/folder.bru`, block('meta', [`name: ${folder}`, `seq: ${place}`]));
    files.set(`${folder}/${operation.summary}.bru`, requestOf(operation, stop, index + 1));
  }
  if (operations.size > 0) throw new Error(`The journey leaves out ${[...operations.keys()].join(', ')}.`);
  return files;
}

const block = (name: string, lines: string[]) =>
  `${name} {\n${lines.map((line) => `  ${line}`).join('\n')}\n}\n`;

function requestOf(operation: Operation, stop: Stop, seq: number): string {
  const { method, path, summary, parameters = [] } = operation;
  const values = stop.values ?? {};
  const url = `{{baseUrl}}/api/automation/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const used = new URLSearchParams(
    inQuery.flatMap(({ name }) => (name in values ? [[name, values[name] ?? '']] : [])),
  );
  const query = decodeURIComponent(used.toString());
  const body = stop.body ?? operation.requestBody?.content['application/json'].example;
  const [status = '200', response] = Object.entries(operation.responses)[0] ?? [];
  return [
    block('meta', [`name: ${summary}`, 'type: http', `seq: ${seq}`]),
    block(method, [
      `url: ${url}${query ? `?${query}` : ''}`,
      `body: ${body ? 'json' : 'none'}`,
      `auth: ${operation.security?.length === 0 ? 'none' : 'inherit'}`,
    ]),
    ...blockOf(
      'params:query',
      inQuery.map(({ name }) => `${name in values ? '' : '~'}${name}: ${values[name] ?? ''}`),
    ),
    ...blockOf(
      'params:path',
      inPath.map(({ name }) => `${name}: ${values[name] ?? ''}`),
    ),
    ...blockOf('body:json', body ? JSON.stringify(body, null, 2).split('\n') : []),
    ...blockOf(
      'vars:post-response',
      Object.entries(stop.sets ?? {}).map(([name, expression]) => `${name}: ${expression}`),
    ),
    block('assert', [
      `res.status: eq ${status}`,
      ...assertions(response?.content?.['application/json'].example),
    ]),
    block('docs', operation.description.split('\n')),
  ].join('\n');
}

const blockOf = (name: string, lines: string[]) => (lines.length > 0 ? [block(name, lines)] : []);

/** Asserts that the response has each key of the example. For a list, asserts only the type, as the list may be empty. */
function assertions(example: unknown): string[] {
  if (Array.isArray(example)) return ['res.body: isArray'];
  if (typeof example !== 'object' || example === null) return [];
  return Object.keys(example).map((key) => `res.body.${key}: isDefined`);
}

const COLLECTION = [
  block('auth', ['mode: bearer']),
  block('auth:bearer', ['token: {{accessToken}}']),
  block('docs', [
    'Generated from openapi.json by `npm run generate` in packages/bruno/. A complete run creates a contact and a conversation.',
    "Needs an access token of a connection. The project's docs/connecting.md explains how to get one.",
  ]),
].join('\n');

const ENVIRONMENT = [
  block('vars', ['baseUrl: http://localhost:3000', 'hooksHost: hooks.workflow-platform.test']),
  'vars:secret [\n  accessToken\n]\n',
].join('\n');
