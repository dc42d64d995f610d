import { Parser } from 'htmlparser2';

/**
 * Returns what a browser would send with the form of a consent page: the hidden fields, the workspace with
 * this name if there is a choice, and the button `Connect`.
 * @throws Error when the page has no such form or does not offer the workspace
 */
export function fillInConsent(html: string, workspace: string): Record<string, string> {
  const fields: Record<string, string> = {};
  const offered = new Map<string, string>();
  let select = '';
  let option: string | undefined;
  const parser = new Parser({
    onopentag(name, { name: field = '', value = '', type }) {
      if (name === 'input' && type === 'hidden') fields[field] = value;
      if (name === 'select') select = field;
      if (name === 'option') option = value;
    },
    ontext(text) {
      if (option !== undefined) offered.set(text.trim(), option);
    },
    onclosetag(name) {
      if (name === 'option') option = undefined;
    },
  });
  parser.end(html);
  if (Object.keys(fields).length === 0)
    throw new Error(`This is not a consent page:\n${html.slice(0, 2_000)}`);
  if (select !== '') {
    const chosen = offered.get(workspace);
    if (chosen === undefined) throw new Error(`${workspace} is not among ${[...offered.keys()].join(', ')}.`);
    fields[select] = chosen;
  }
  return { ...fields, decision: 'approve' };
}
