import { parseDay, parseNumber } from '#server/contacts/typed-values.ts';

// Filters by custom fields, as the URL, saved views and procedures have them. Scripts of pages import this file.

/** Operators by the type of the field. All types also have `set` and `empty`, which need no value. */
export const FIELD_OPERATORS = {
  text: ['is', 'has'],
  number: ['eq', 'lt', 'gt'],
  date: ['on', 'before', 'after'],
  choice: ['any'],
} as const;

export type FieldOperator = (typeof FIELD_OPERATORS)[keyof typeof FIELD_OPERATORS][number] | 'set' | 'empty';

/** A condition on a value of a conversation or of its contact. `values`: ids of choices, or one value of the operator. */
export type FieldCondition = {
  subject: 'contact' | 'conversation';
  fieldId: string;
  operator: FieldOperator;
  values: string[];
};

/** Maximum numbers of conditions of a filter, and of choices in one. */
export const CONDITIONS_MAX = 5;
export const CONDITION_CHOICES_MAX = 10;
/** Maximum length of the text of all conditions. */
export const CONDITIONS_LENGTH_MAX = 4_000;

const TEXT_MAX = 100;
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Parses conditions such as `contact:ID:any:ID:ID,conversation:ID:has:A-1`. Leaves out invalid ones. */
export function parseFieldConditions(text: string): FieldCondition[] {
  return text
    .slice(0, CONDITIONS_LENGTH_MAX)
    .split(',')
    .slice(0, CONDITIONS_MAX)
    .flatMap((one) => parseCondition(one) ?? []);
}

/** Returns the text of the complete ones of some conditions; undefined when there are none. */
export function writeFieldConditions(conditions: FieldCondition[]): string | undefined {
  const written = conditions
    .slice(0, CONDITIONS_MAX)
    .map(({ subject, fieldId, operator, values }) =>
      [subject, fieldId, operator, ...values.map(encodeURIComponent)].join(':'),
    )
    .filter((one) => parseCondition(one) !== null);
  return written.length === 0 ? undefined : written.join(',');
}

function parseCondition(text: string): FieldCondition | null {
  const [subject, fieldId = '', operator, ...encoded] = text.split(':');
  if ((subject !== 'contact' && subject !== 'conversation') || !ID.test(fieldId)) return null;
  if (operator === 'set' || operator === 'empty')
    return encoded.length === 0 ? { subject, fieldId, operator, values: [] } : null;
  const type = Object.entries(PARSERS).find(([name]) => name === operator);
  if (!type) return null;
  const [known, parse] = type as [Exclude<FieldOperator, 'set' | 'empty'>, (typed: string) => string | null];
  const values = encoded.map((one) => parse(decode(one))).filter((value) => value !== null);
  const max = known === 'any' ? CONDITION_CHOICES_MAX : 1;
  if (values.length !== encoded.length || values.length === 0 || values.length > max) return null;
  return { subject, fieldId, operator: known, values };
}

const parseText = (typed: string) => {
  const text = typed.trim();
  return text === '' || text.length > TEXT_MAX ? null : text;
};
const parseId = (typed: string) => (ID.test(typed) ? typed : null);

const PARSERS: Record<Exclude<FieldOperator, 'set' | 'empty'>, (typed: string) => string | null> = {
  is: parseText,
  has: parseText,
  eq: parseNumber,
  lt: parseNumber,
  gt: parseNumber,
  on: parseDay,
  before: parseDay,
  after: parseDay,
  any: parseId,
};

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
