import type { Create, PlainInputField, PlainOutputField, Search, Trigger } from 'zapier-platform-core';
import App from '../dist/index.js';

/** A trigger, action or search with the properties that the tests need. */
export type Step = {
  kind: 'trigger' | 'create' | 'search';
  key: string;
  noun: string;
  display: { label?: string; description?: string; hidden?: boolean };
  operation: {
    type?: string;
    inputFields?: PlainInputField[];
    outputFields?: PlainOutputField[];
    sample?: Record<string, unknown>;
  } & Record<string, unknown>;
};

const all = (kind: Step['kind'], steps: Record<string, Trigger | Create | Search> | undefined): Step[] =>
  Object.values(steps ?? {}).map((step) => ({ kind, ...step }) as unknown as Step);

/** All triggers, actions and searches of the app. */
export const STEPS: Step[] = [
  ...all('trigger', App.triggers),
  ...all('create', App.creates),
  ...all('search', App.searches),
];

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the keys of a record in Zapier's form, with two underscores before the keys of nested objects. */
export function keysIn(record: Record<string, unknown>, prefix = ''): string[] {
  return Object.entries(record).flatMap(([key, value]) =>
    isObject(value) ? keysIn(value, `${prefix}${key}__`) : [`${prefix}${key}`],
  );
}
