import { escapeHtml } from '#server/core/text.ts';

/** The two alternative bodies of a mail (RFC 2046 §5.1.4). */
type MailBody = { text: string; html: string };

/** Signature delimiter (RFC 3676 §4.3). */
const SIGNATURE_LINE = '-- ';

const STYLE =
  'font-family:system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;font-size:14px;line-height:1.5';

/**
 * Builds both bodies of a mail from plain text. The HTML has the same lines, with links for web addresses, and escapes
 * everything else.
 * @param signature null or blank for none
 * @param quote another message, quoted below in both bodies: `head` in lines above the text
 */
export function writeMailBody({
  text,
  signature,
  quote = null,
}: {
  text: string;
  signature: string | null;
  quote?: { head: string[]; text: string } | null;
}): MailBody {
  const below = signature?.trim() ?? '';
  const signed = below === '' ? text : `${text.trimEnd()}\n\n${SIGNATURE_LINE}\n${below}`;
  const parts = [
    `<div dir="auto">${asHtml(text.trimEnd())}</div>`,
    ...(below === ''
      ? []
      : [`<br><div dir="auto" style="color:#666666">${SIGNATURE_LINE}<br>${asHtml(below)}</div>`]),
    ...(quote ? [quoteHtml(quote)] : []),
  ];
  return {
    text: quote ? `${signed.trimEnd()}\n\n${quoteText(quote)}`.trimStart() : signed,
    html: `<!DOCTYPE html>\n<html><head><meta charset="utf-8"></head><body><div style='${STYLE}'>${parts.join('\n')}</div></body></html>\n`,
  };
}

/** Quotes with `> ` in front of each line (RFC 3676 §4.5). */
function quoteText({ head, text }: { head: string[]; text: string }): string {
  const lines = text.trimEnd().split(/\r\n?|\n/);
  return [
    ...head,
    '',
    ...lines.map((line) => (line.startsWith('>') ? `>${line}` : `> ${line}`.trimEnd())),
  ].join('\n');
}

function quoteHtml({ head, text }: { head: string[]; text: string }): string {
  const style = 'margin:8px 0 0;padding-left:12px;border-left:2px solid #cccccc';
  return `<br><div dir="auto">${asHtml(head.join('\n'))}</div><blockquote dir="auto" style="${style}">${asHtml(text.trimEnd())}</blockquote>`;
}

const ADDRESS = /https?:\/\/[^\s<>"']+/gi;
/** Punctuation at the end of an address belongs to the sentence. */
const PUNCTUATION = '.,;:!?)]}»“”’';

function asHtml(text: string): string {
  let html = '';
  let done = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const url = trimPunctuation(found);
    if (!URL.canParse(url)) continue;
    html += `${escapeLines(text.slice(done, index))}<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`;
    done = index + url.length;
  }
  return html + escapeLines(text.slice(done));
}

function trimPunctuation(address: string): string {
  let end = address.length;
  while (end > 0 && PUNCTUATION.includes(address.charAt(end - 1))) end -= 1;
  return address.slice(0, end);
}

/** Escapes a text, and keeps line breaks and indentation. */
function escapeLines(text: string): string {
  return escapeHtml(text)
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(
      / {2,}|^ | $/gm,
      (spaces) => '&nbsp;'.repeat(spaces.length - 1) + (spaces.length > 1 ? ' ' : '&nbsp;'),
    )
    .replaceAll('\t', '&nbsp;&nbsp;&nbsp; ')
    .replaceAll('\n', '<br>\n');
}
