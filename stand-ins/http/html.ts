const markup = Symbol('markup');

/** Text that is safe to put into a page as it is. Only the tag below makes it. */
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
 * Template tag for pages. Everything put in is escaped unless it was made by this tag; `null`, `false` and
 * `undefined` leave nothing. Attribute values must be written in double quotes.
 */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  let text = strings[0] ?? '';
  for (const [index, part] of parts.entries()) text += render(part) + (strings[index + 1] ?? '');
  return { [markup]: text };
}

/** The markup as text, to be sent. */
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
