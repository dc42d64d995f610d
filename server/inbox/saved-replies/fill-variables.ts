/** Variables of a saved reply, with what they stand for. */
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

/** Values of the variables in one conversation. Null: unknown, for example an anonymous visitor's name. */
export type VariableValues = Record<Variable, string | null>;

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
/** A name, and optionally a fallback after `|`. */
const INNER = /^\s*([a-z_.]+)\s*(?:\|([^|\r\n]*))?$/;

/**
 * Fills in the variables of a text, once: a value that looks like a variable stays as it is. An unknown value becomes the
 * fallback of its variable, or an empty text.
 * @returns the text, and the variables that left a gap
 */
export function fillVariables(text: string, values: VariableValues): { text: string; missing: Variable[] } {
  const missing = new Set<Variable>();
  const filled = text.replaceAll(PLACEHOLDER, (whole, inner: string) => {
    const found = parseVariable(inner);
    if (!found) return whole;
    const value = values[found.variable] ?? found.fallback;
    if (value === '') missing.add(found.variable);
    return value;
  });
  return { text: filled, missing: [...missing] };
}

/** Returns the first placeholder of a text that is not a variable, or undefined. */
export function findUnknownVariable(text: string): string | undefined {
  for (const [whole, inner = ''] of text.matchAll(PLACEHOLDER)) {
    if (!parseVariable(inner)) return whole;
  }
  return undefined;
}

function parseVariable(inner: string): { variable: Variable; fallback: string } | undefined {
  const [, name, fallback = ''] = INNER.exec(inner) ?? [];
  return name !== undefined && isVariable(name) ? { variable: name, fallback: fallback.trim() } : undefined;
}

function isVariable(name: string): name is Variable {
  return Object.hasOwn(VARIABLES, name);
}
