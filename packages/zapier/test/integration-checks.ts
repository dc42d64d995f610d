import App from '../dist/index.js';
import { isObject, STEPS, type Step } from './definition.ts';

// Zapier's published integration checks that `validate --without-style` skips, by their numbers.

const SMALL = new Set([
  'a',
  'an',
  'and',
  'at',
  'by',
  'for',
  'from',
  'in',
  'of',
  'on',
  'or',
  'the',
  'to',
  'with',
]);
export const isTitle = (text: string) =>
  text.split(' ').every((word, index) => /^[A-Z0-9]/.test(word) || (index > 0 && SMALL.has(word)));

const visible = STEPS.filter(({ display }) => !display.hidden);
const inputsIn = ({ operation }: Step) => operation.inputFields ?? [];
const searchOrCreates = Object.values(App.searchOrCreates ?? {});
const textsIn = (step: Step) => [
  step.display.label ?? '',
  step.display.description ?? '',
  ...inputsIn(step).flatMap(({ label, helpText }) => [label ?? '', helpText ?? '']),
];

/** A check. Its findings are the violations. */
type Check = [name: string, findings: () => unknown[]];

export const CHECKS: Check[] = [
  [
    'D001: no step asks for a secret',
    () =>
      visible.filter((step) => inputsIn(step).some(({ key }) => /api_?key|token|secret|password/i.test(key))),
  ],
  ['D003: a connection has a label', () => (App.authentication?.connectionLabel ? [] : ['no label'])],
  [
    'D004: a field for an ID has a dropdown',
    () =>
      visible.flatMap((step) =>
        inputsIn(step)
          .filter(({ key, dynamic }) => /(^|_)id$/.test(key) && !dynamic)
          .map(({ key }) => `${step.key}.${key}`),
      ),
  ],
  [
    'D005: a dropdown refers to an existing trigger and its fields',
    () =>
      visible.flatMap((step) =>
        inputsIn(step)
          .filter(({ dynamic }) => dynamic !== undefined && !hasFields('trigger', dynamic))
          .map(({ key }) => `${step.key}.${key}`),
      ),
  ],
  [
    'D006: an instant trigger can be tested without waiting',
    () =>
      visible
        .filter(({ kind, operation }) => kind === 'trigger' && typeof operation.performList !== 'function')
        .map(({ key }) => key),
  ],
  [
    'D008: links use Markdown',
    () =>
      visible
        .filter((step) =>
          textsIn(step).some((text) =>
            /https?:/.test(text.replaceAll(/`[^`]*`|\[[^\]]+\]\(https:[^)]+\)/g, '')),
          ),
        )
        .map(({ key }) => key),
  ],
  [
    'D009: a search has an input field',
    () =>
      visible.filter((step) => step.kind === 'search' && inputsIn(step).length === 0).map(({ key }) => key),
  ],
  [
    'D010: a sample has an id, by which Zapier removes duplicates',
    () =>
      STEPS.filter(
        ({ operation }) => typeof operation.sample?.id !== 'string' || operation.sample.id === '',
      ).map(({ key }) => key),
  ],
  [
    'D011: a help text says more than the label',
    () =>
      visible.flatMap((step) =>
        inputsIn(step)
          .filter(
            ({ label, helpText }) => helpText?.toLowerCase().replace(/\.$/, '') === label?.toLowerCase(),
          )
          .map(({ key }) => `${step.key}.${key}`),
      ),
  ],
  [
    'every field has a help text',
    () =>
      visible.flatMap((step) =>
        inputsIn(step)
          .filter(({ helpText }) => !helpText)
          .map(({ key }) => `${step.key}.${key}`),
      ),
  ],
  [
    'D012: every step has a sample',
    () => visible.filter(({ operation }) => !operation.sample).map(({ key }) => key),
  ],
  [
    'D013: a field with a search refers to an existing search and its fields',
    () =>
      visible.flatMap((step) =>
        inputsIn(step)
          .filter(({ search }) => search !== undefined && !hasFields('search', search))
          .map(({ key }) => `${step.key}.${key}`),
      ),
  ],
  [
    'D014: a field with a search has a dropdown',
    () =>
      visible.flatMap((step) =>
        inputsIn(step)
          .filter(({ search, dynamic }) => search && !dynamic)
          .map(({ key }) => `${step.key}.${key}`),
      ),
  ],
  [
    'D015: a search-or-create refers to an existing search and action',
    () =>
      searchOrCreates.filter(
        ({ key, search, create }) =>
          key !== search ||
          !App.searches?.[search as keyof typeof App.searches] ||
          !App.creates?.[create as keyof typeof App.creates],
      ),
  ],
  [
    'D017: an instant trigger subscribes and unsubscribes',
    () =>
      visible
        .filter(
          ({ kind, operation }) =>
            kind === 'trigger' && !(operation.performSubscribe && operation.performUnsubscribe),
        )
        .map(({ key }) => key),
  ],
  [
    'D018: labels are in title case',
    () =>
      [
        ...visible.map(({ display }) => display.label),
        ...searchOrCreates.map(({ display }) => display.label),
        ...visible.flatMap((step) =>
          [...inputsIn(step), ...(step.operation.outputFields ?? [])].map(({ label }) => label),
        ),
      ].filter((label) => !label || !isTitle(label)),
  ],
  [
    'D021: descriptions of triggers have the required form',
    () =>
      STEPS.filter(
        ({ kind, display }) => kind === 'trigger' && !/^Triggers when .*\.$/.test(display.description ?? ''),
      ).map(({ key }) => key),
  ],
  [
    'descriptions of actions and searches are sentences that start with a verb',
    () =>
      visible
        .filter(
          ({ kind, display }) =>
            kind !== 'trigger' &&
            !/^(Adds|Creates|Emails|Finds|Replies|Updates) .*\.$/.test(display.description ?? ''),
        )
        .map(({ key }) => key),
  ],
  [
    'D022: an action has fields',
    () =>
      visible.filter((step) => step.kind === 'create' && inputsIn(step).length === 0).map(({ key }) => key),
  ],
  [
    'D023: timestamps in samples are ISO 8601 with a time zone',
    () =>
      visible.flatMap((step) =>
        (step.operation.outputFields ?? [])
          .filter(
            ({ key, type }) =>
              type === 'datetime' &&
              !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(
                String(valueAt(step.operation.sample, key)),
              ),
          )
          .map(({ key }) => `${step.key}.${key}`),
      ),
  ],
  [
    'D024: values in samples have the type of their output field',
    () =>
      visible.flatMap((step) =>
        (step.operation.outputFields ?? [])
          .filter((field) => !fits(valueAt(step.operation.sample, field.key), field))
          .map(({ key }) => `${step.key}.${key}`),
      ),
  ],
];

/** Returns whether `key.field.field` refers to a step of the app and its output fields. */
export function hasFields(kind: Step['kind'], reference: string): boolean {
  const [key, ...fields] = reference.split('.');
  const step = STEPS.find((each) => each.kind === kind && each.key === key);
  const known = step?.operation.outputFields?.map((field) => field.key) ?? [];
  return fields.length > 0 && fields.every((field) => known.includes(field));
}

function valueAt(sample: unknown, key: string): unknown {
  return key
    .split('__')
    .reduce((value: unknown, name) => (isObject(value) ? value[name] : undefined), sample);
}

export function fits(
  value: unknown,
  { type, list }: { type?: string | undefined; list?: boolean | undefined },
): boolean {
  if (value === null) return true;
  if (list) return Array.isArray(value) && value.every((each) => typeof each === 'string');
  return type === 'integer' ? Number.isInteger(value) : typeof value === 'string';
}
