import {
  type FormattedBlock,
  type FormattedInline,
  type FormattedListItem,
  type FormattedMark,
  type FormattedPicture,
  type FormattedText,
  hrefOf,
} from '#server/contract/formatted-text.ts';
import { textOf } from '#server/contract/plain-text.ts';
import { escapeHtml } from '#server/core/text.ts';
import { keepSpaces, linesHtml, linkedHtml } from '#server/inbox/channels/email/text-html.ts';

// Mail clients drop style sheets, so styles are attributes. Colors are those of the client, which may have a dark theme.
const MONOSPACED = 'font-family:ui-monospace,Menlo,Consolas,monospace;font-size:13px';
const CODE_BLOCK = `${MONOSPACED};margin:4px 0;padding:8px;border:1px solid #cccccc;white-space:pre-wrap`;
/** Indents on both sides, for lists from right to left. */
const LIST = 'margin:0;padding:0 24px';

/**
 * Returns a formatted text as the HTML of a mail. A paragraph is a line, as in the plain text. Links web addresses in texts that are
 * neither a link nor code.
 */
export function formattedHtml({ content }: FormattedText): string {
  const last = content.findLastIndex((block) => block.type !== 'paragraph' || block.content?.length);
  return content
    .slice(0, last + 1)
    .map(blockHtml)
    .join('\n');
}

function blockHtml(block: FormattedBlock): string {
  switch (block.type) {
    case 'paragraph':
      return `<div>${lineHtml(block)}</div>`;
    case 'codeBlock': {
      const code = (block.content ?? []).map(({ text }) => text).join('');
      return `<pre style="${CODE_BLOCK}"><code>${escapeHtml(code)}</code></pre>`;
    }
    case 'bulletList':
      return `<ul style="${LIST}">${itemsHtml(block.content)}</ul>`;
    case 'orderedList':
      return `<ol start="${block.attrs.start}" style="${LIST}">${itemsHtml(block.content)}</ol>`;
  }
}

function itemsHtml(items: readonly FormattedListItem[]): string {
  return items.map(({ content }) => `<li>${content.map(partHtml).join('')}</li>`).join('');
}

/** Returns a part of a list item. Some clients show a block at its start below the bullet. */
function partHtml(block: FormattedBlock, index: number): string {
  return index === 0 && block.type === 'paragraph' ? lineHtml(block) : blockHtml(block);
}

function lineHtml({ content = [] }: Extract<FormattedBlock, { type: 'paragraph' }>): string {
  return content.length === 0 ? '<br>' : inlineHtml(content);
}

/** Keeps the spaces of the whole line, because a space at the end of a part is one between words. */
function inlineHtml(inlines: readonly FormattedInline[]): string {
  const line = keepSpaces(inlines.map(textOf).join(''));
  let html = '';
  let start = 0;
  let href: string | undefined;
  for (const inline of inlines) {
    const marks = inline.type === 'text' ? (inline.marks ?? []) : [];
    const next = hrefOf(marks);
    if (href !== next && href !== undefined) html += '</a>';
    if (href !== next && next !== undefined) html += `<a href="${escapeHtml(next)}">`;
    href = next;
    const end = start + textOf(inline).length;
    html += inline.type === 'image' ? pictureHtml(inline) : markedHtml(line.slice(start, end), marks);
    start = end;
  }
  return href === undefined ? html : `${html}</a>`;
}

/** Returns a picture by the Content-ID of its part of the mail (RFC 2392). */
function pictureHtml({ attrs: { fileId, alt } }: FormattedPicture): string {
  return `<img src="cid:${fileId}" alt="${escapeHtml(alt)}" style="display:block;max-width:100%">`;
}

function markedHtml(text: string, marks: readonly FormattedMark[]): string {
  const has = (type: FormattedMark['type']) => marks.some((mark) => mark.type === type);
  let html = has('link') || has('code') ? linesHtml(text) : linkedHtml(text);
  if (has('code')) html = `<code style="${MONOSPACED}">${html}</code>`;
  if (has('italic')) html = `<em>${html}</em>`;
  return has('bold') ? `<strong>${html}</strong>` : html;
}
