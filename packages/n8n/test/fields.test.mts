import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import nodes from '../dist/nodes/SharedInbox/SharedInbox.node.js';
import triggers from '../dist/nodes/SharedInbox/SharedInboxTrigger.node.js';
import { inputsOf } from './openapi.mts';

const { properties } = new nodes.SharedInbox().description;

/** The operations and their API calls. */
const CALLS: [resource: string, operation: string, method: string, path: string][] = [
  ['contact', 'create', 'POST', '/contacts'],
  ['contact', 'update', 'PATCH', '/contacts/{id}'],
  ['contact', 'getAll', 'GET', '/contacts/search'],
  ['conversation', 'create', 'POST', '/conversations'],
  ['conversation', 'update', 'PATCH', '/conversations/{id}'],
  ['conversation', 'addTags', 'POST', '/conversations/{id}/tags'],
  ['conversation', 'getAll', 'GET', '/conversations/search'],
  ['message', 'reply', 'POST', '/conversations/{id}/replies'],
  ['message', 'addNote', 'POST', '/conversations/{id}/notes'],
];

const shows = ({ displayOptions }: INodeProperties, resource: string, operation: string) =>
  displayOptions?.show?.resource?.includes(resource) && displayOptions.show.operation?.includes(operation);

/** Returns the visible fields of an operation, including those in collections. */
function fieldsOf(resource: string, operation: string): INodeProperties[] {
  return properties
    .filter((property) => shows(property, resource, operation))
    .flatMap((property) =>
      property.type === 'collection' ? (property.options as INodeProperties[]) : [property],
    );
}

describe('the fields match openapi.json', () => {
  for (const [resource, operation, method, path] of CALLS) {
    test(`for ${operation} of ${resource}`, () => {
      const ofPath = path.includes('{id}') ? `${path.split('/')[1]?.slice(0, -1)}_id` : undefined;
      const fields = fieldsOf(resource, operation);
      if (ofPath) assert.ok(fields.some(({ name, required }) => name === ofPath && required));
      const described = fields
        .filter(({ name }) => name !== ofPath)
        .map(({ name, required = false, options, typeOptions }) => {
          const isListed = options !== undefined && typeOptions?.loadOptionsMethod === undefined;
          const values = isListed
            ? (options as INodePropertyOptions[]).map(({ value }) => String(value)).sort()
            : undefined;
          return [name, { required, values }] as const;
        });
      assert.deepEqual(Object.fromEntries(described), inputsOf(method, path));
    });
  }

  test('every input field has a description', () => {
    const isInput = ({ type, name }: INodeProperties) =>
      type !== 'collection' && !['resource', 'operation', 'event'].includes(name);
    const all = [...properties, ...new triggers.SharedInboxTrigger().description.properties];
    const silent = all
      .flatMap((property) =>
        property.type === 'collection' ? (property.options as INodeProperties[]) : [property],
      )
      .filter((property) => isInput(property) && !property.description)
      .map(({ name, displayOptions }) => `${name} ${JSON.stringify(displayOptions?.show ?? {})}`);
    assert.deepEqual(silent, []);
  });

  test('the command of the trigger describes its allowed characters', () => {
    const { properties: fields } = new triggers.SharedInboxTrigger().description;
    const command = fields.find(({ name }) => name === 'command');
    assert.match(command?.description ?? '', /letters, digits, - and _.*48/);
  });

  test('every operation is compared', () => {
    const offered = properties
      .filter(({ name }) => name === 'operation')
      .flatMap(({ displayOptions, options }) =>
        (options as INodePropertyOptions[]).map(
          ({ value }) => `${displayOptions?.show?.resource?.[0]} ${value}`,
        ),
      );
    const compared = CALLS.map(([resource, operation]) => `${resource} ${operation}`);
    assert.deepEqual(offered.sort(), compared.sort());
  });
});
