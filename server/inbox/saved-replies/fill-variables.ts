/** Variables of every workspace, with what they stand for. Its custom fields are further ones. */
export const VARIABLES = {
  'contact.first_name': 'First name of the contact',
  'contact.last_name': 'Last name of the contact',
  'contact.name': 'Full name of the contact',
  'contact.email': 'Email address of the contact',
  'contact.company': 'Company of the contact',
  'teammate.first_name': 'Your first name',
  'teammate.name': 'Your name',
  'workspace.name': 'Name of the workspace',
} as const;

export type Variable = keyof typeof VARIABLES;

/** Values of variables in one conversation, by their keys. Null: unknown, for example an anonymous visitor's name. */
export type VariableValues = ReadonlyMap<string, string | null>;

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
/** A name, and optionally a fallback after `|`. */
const INNER = /^([^|]*)(?:\|([^|\r\n]*))?$/;

/** Returns the key of a custom field's variable. Its name is written as it is, ignoring case. */
export function fieldKey(subject: 'contact' | 'conversation', name: string): string {
  return keyOfName(`${subject}.${name}`);
}

/** Custom fields have other keys than `VARIABLES`, whose case counts. The brace keeps both apart: no placeholder contains one. */
function keyOfName(name: string): string {
  return `{${name.toLowerCase().replaceAll(/\s+/g, ' ')}`;
}

/**
 * Fills in the variables of a text, once: a value that looks like a variable stays as it is. An unknown value becomes the
 * fallback of its variable, or an empty text.
 * @returns the text, and the keys of the variables that left a gap
 */
export function fillVariables(text: string, values: VariableValues): { text: string; missing: string[] } {
  const missing = new Set<string>();
  const filled = replaceVariables(text, values, ({ key, fallback }) => {
    const value = values.get(key) ?? fallback;
    if (value === '') missing.add(key);
    return value;
  });
  return { text: filled, missing: [...missing] };
}

/** Returns the first placeholder of a text that is not a variable, or undefined. */
export function findUnknownVariable(text: string, known: Keys): string | undefined {
  for (const [whole, inner = ''] of text.matchAll(PLACEHOLDER)) {
    if (!parseVariable(inner, known)) return whole;
  }
  return undefined;
}

/** The keys of known variables. */
type Keys = { has: (key: string) => boolean };

/** A variable in a text. `fallback`: empty when there is none. */
type Found = { key: string; fallback: string; hasFallback: boolean };

/** Replaces each known variable of a text. */
export function replaceVariables(text: string, known: Keys, replace: (found: Found) => string): string {
  return text.replaceAll(PLACEHOLDER, (whole, inner: string) => {
    const found = parseVariable(inner, known);
    return found ? replace(found) : whole;
  });
}

function parseVariable(inner: string, known: Keys): Found | undefined {
  const [, written, fallback] = INNER.exec(inner) ?? [];
  if (written === undefined) return undefined;
  const name = written.trim();
  const key = known.has(name) ? name : keyOfName(name);
  if (!known.has(key)) return undefined;
  return { key, fallback: fallback?.trim() ?? '', hasFallback: fallback !== undefined };
}
