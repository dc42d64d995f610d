import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EVENT_TRIGGERS } from '../dist/triggers/event-triggers.js';
import { keysIn, STEPS, type Step } from './definition.ts';
import { EVENT_KEYS, eventSchema, type Field, fieldsOf, inputsOf, schemaOf } from './openapi.ts';

/** The API calls of actions and searches, with the schemas of their responses. */
const CALLS: Record<string, [method: string, path: string, response: string]> = {
  create_contact: ['POST', '/contacts', 'Contact'],
  update_contact: ['PATCH', '/contacts/{id}', 'Contact'],
  create_conversation: ['POST', '/conversations', 'Conversation'],
  send_reply: ['POST', '/conversations/{id}/replies', 'Reply'],
  add_internal_note: ['POST', '/conversations/{id}/notes', 'Note'],
  add_tags: ['POST', '/conversations/{id}/tags', 'Conversation'],
  update_conversation: ['PATCH', '/conversations/{id}', 'Conversation'],
  find_contact: ['GET', '/contacts/search', 'Contact'],
  find_conversation: ['GET', '/conversations/search', 'Conversation'],
};

describe('the fields match openapi.json', () => {
  test('every event has exactly one trigger', () => {
    assert.deepEqual(EVENT_TRIGGERS.map(({ event }) => event).sort(), EVENT_KEYS.toSorted());
  });

  for (const { key, event } of EVENT_TRIGGERS) {
    test(`the output fields of ${key} match the API`, () => {
      assert.deepEqual(outputsOf(stepOf(key)), sorted(fieldsOf(eventSchema(event))));
    });

    test(`the filter of ${key} matches the API`, () => {
      const filters = stepOf(key).operation.inputFields ?? [];
      const samples = inputsOf('GET', '/triggers/{event}/samples');
      const subscription = inputsOf('POST', '/hooks').filter(
        ({ key: name }) => !['target_url', 'event'].includes(name),
      );
      const filter = filterOf(event);
      assert.deepEqual(
        filters.map((field) => field.key),
        filter ? [filter] : [],
      );
      for (const field of filters) {
        for (const inputs of [samples, subscription]) {
          const input = inputs.find(({ key: name }) => name === field.key);
          assert.deepEqual(field.choices && Object.keys(field.choices), input?.values);
        }
      }
    });
  }

  test('every action and search is compared', () => {
    const keys = STEPS.filter(({ kind }) => kind !== 'trigger').map(({ key }) => key);
    assert.deepEqual(Object.keys(CALLS).sort(), keys.sort());
  });

  for (const [key, [method, path, response]] of Object.entries(CALLS)) {
    test(`the output fields of ${key} match the API`, () => {
      assert.deepEqual(outputsOf(stepOf(key)), sorted(fieldsOf(schemaOf(response))));
    });

    test(`the input fields of ${key} match the API`, () => {
      const inputs = inputsOf(method, path);
      const record = /^\/(\w+?)s\/\{id\}/.exec(path)?.[1];
      const fields = (stepOf(key).operation.inputFields ?? []).filter(
        (field) => !record || field.key !== `${record}_id`,
      );
      assert.deepEqual(
        fields.map((field) => ({
          key: field.key,
          required: field.required ?? false,
          values: field.choices && Object.keys(field.choices),
        })),
        inputs,
      );
    });
  }

  for (const step of STEPS.filter(({ display }) => !display.hidden)) {
    test(`the sample of ${step.key} has all output fields`, () => {
      assert.deepEqual(
        keysIn(step.operation.sample ?? {}).sort(),
        (step.operation.outputFields ?? []).map(({ key }) => key).sort(),
      );
    });
  }
});

function stepOf(key: string): Step {
  const step = STEPS.find((each) => each.key === key);
  if (!step) throw new Error(`There is no ${key}.`);
  return step;
}

function sorted(fields: Field[]) {
  return fields.toSorted((a, b) => a.key.localeCompare(b.key));
}

function outputsOf({ operation }: Step) {
  return sorted(
    (operation.outputFields ?? []).map(({ key, type, list }) => ({ key, type: list ? 'array' : `${type}` })),
  );
}

/** Returns the filter of an event, if it has one (docs/spec.md §4.2). */
function filterOf(event: string): string | undefined {
  const filters: Record<string, string> = {
    'conversation.status_changed': 'status',
    'conversation.tagged': 'tag',
    'operator.command': 'command',
  };
  return filters[event];
}
