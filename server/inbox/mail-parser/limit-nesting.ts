/** Maximum depth of elements. Replies to replies nest a few elements each; browsers stop at 512. */
const NESTING_MAX = 1_000;

const TAG = /<(\/?)([a-z][a-z\d]*)[^>]*>?/gi;
const ANY_TAG = /<[^>]*>?/g;

const VOID = new Set([
  ...['area', 'base', 'br', 'col', 'embed', 'hr', 'img'],
  ...['input', 'link', 'meta', 'param', 'source', 'track', 'wbr'],
]);
const CELLS = ['td', 'th'];
const TERMS = ['dd', 'dt'];
/** Elements whose start ends a paragraph. */
const BLOCKS = [
  ...['p', 'div', 'table', 'ul', 'ol', 'dl', 'pre', 'blockquote'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
];
/** Elements that the start of another one ends. */
const ENDS = new Map<string, readonly string[]>(
  Object.entries({
    tr: ['tr', ...CELLS],
    td: CELLS,
    th: CELLS,
    dd: TERMS,
    dt: TERMS,
    li: ['li'],
    option: ['option'],
    ...Object.fromEntries(BLOCKS.map((name) => [name, ['p']])),
  }),
);

/**
 * Drops the tags after the point where elements are nested too deeply; their text stays. HTML parsers search the open
 * elements at each tag, so their time grows with the square of the depth: an attacker's two megabytes of `<b>` would take
 * minutes.
 */
export function limitNesting(html: string): string {
  const open: string[] = [];
  for (const { 0: tag, 1: slash, 2: written = '', index } of html.matchAll(TAG)) {
    const name = written.toLowerCase();
    if (VOID.has(name)) continue;
    if (slash === '/') {
      const at = open.lastIndexOf(name);
      if (at !== -1) open.length = at;
      continue;
    }
    const ended = ENDS.get(name);
    while (ended?.includes(open.at(-1) ?? '')) open.pop();
    open.push(name);
    if (open.length <= NESTING_MAX) continue;
    const rest = html.slice(index + tag.length).replaceAll(ANY_TAG, ' ');
    return `${html.slice(0, index)} ${rest}`;
  }
  return html;
}
