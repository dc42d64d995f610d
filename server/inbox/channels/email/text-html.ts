import { escapeHtml } from '#server/core/text.ts';

const ADDRESS = /https?:\/\/[^\s<>"']+/gi;
/** Punctuation at the end of an address belongs to the sentence. */
const PUNCTUATION = '.,;:!?)]}»“”’';

/** Returns a text as HTML: its lines with their spaces, and links for web addresses. Escapes everything else. */
export function textHtml(text: string): string {
  return linkedHtml(keepSpaces(text.replaceAll(/\r\n?/g, '\n')));
}

/** Returns a text whose spaces are kept as HTML, with links for web addresses. */
export function linkedHtml(text: string): string {
  let html = '';
  let done = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const url = trimPunctuation(found);
    if (!URL.canParse(url)) continue;
    html += `${linesHtml(text.slice(done, index))}<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`;
    done = index + url.length;
  }
  return html + linesHtml(text.slice(done));
}

/** Returns a text whose spaces are kept as HTML, with line breaks. */
export function linesHtml(text: string): string {
  return escapeHtml(text)
    .replaceAll('\u00a0', '&nbsp;')
    .replaceAll('\t', '&nbsp;&nbsp;&nbsp; ')
    .replaceAll('\n', '<br>\n');
}

/** Replaces spaces that HTML would drop by no-break spaces: those at the start and end of a line, and others beside each other. */
export function keepSpaces(text: string): string {
  return text.replaceAll(
    / {2,}|^ | $/gm,
    (spaces) => '\u00a0'.repeat(spaces.length - 1) + (spaces.length > 1 ? ' ' : '\u00a0'),
  );
}

function trimPunctuation(address: string): string {
  let end = address.length;
  while (end > 0 && PUNCTUATION.includes(address.charAt(end - 1))) end -= 1;
  return address.slice(0, end);
}
