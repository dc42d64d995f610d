import type { FormattedText } from '#server/contract/formatted-text.ts';
import { formattedHtml } from '#server/inbox/channels/email/formatted-html.ts';
import { textHtml } from '#server/inbox/channels/email/text-html.ts';

/** The two alternative bodies of a mail (RFC 2046 §5.1.4). */
type MailBody = { text: string; html: string };

/** Signature delimiter (RFC 3676 §4.3). */
const SIGNATURE_LINE = '-- ';

const STYLE =
  'font-family:system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;font-size:14px;line-height:1.5';

/**
 * Builds both bodies of a mail. Without formatting the HTML has the lines of the text, with links for web addresses.
 * @param formatted the text with its formatting, for the HTML
 * @param signature null or blank for none
 * @param quote another message, quoted below in both bodies: `head` in lines above the text
 */
export function writeMailBody({
  text,
  formatted = null,
  signature,
  quote = null,
}: {
  text: string;
  formatted?: FormattedText | null;
  signature: string | null;
  quote?: { head: string[]; text: string } | null;
}): MailBody {
  const below = signature?.trim() ?? '';
  const signed = below === '' ? text : `${text.trimEnd()}\n\n${SIGNATURE_LINE}\n${below}`;
  const parts = [
    `<div dir="auto">${formatted ? formattedHtml(formatted) : textHtml(text.trimEnd())}</div>`,
    ...(below === ''
      ? []
      : [`<br><div dir="auto" style="color:#666666">${SIGNATURE_LINE}<br>${textHtml(below)}</div>`]),
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
  return `<br><div dir="auto">${textHtml(head.join('\n'))}</div><blockquote dir="auto" style="${style}">${textHtml(text.trimEnd())}</blockquote>`;
}
