const markup = Symbol('markup');

/** Markup that is safe to insert into a page. Only the `html` tag creates it. */
export type Html = { readonly [markup]: string };
type Part = Html | readonly Html[] | string | number | null | false | undefined;

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Template tag for pages. Escapes every value that this tag did not create; `null`, `false` and `undefined` render
 * nothing. Attribute values must be in double quotes.
 */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  let text = strings[0] ?? '';
  for (const [index, part] of parts.entries()) text += render(part) + (strings[index + 1] ?? '');
  return { [markup]: text };
}

/** Returns the markup as text. */
export function toText(page: Html): string {
  return page[markup];
}

function render(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (typeof part === 'string' || typeof part === 'number') {
    return String(part).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
  }
  if (markup in part) return part[markup];
  return part.map(render).join('');
}
