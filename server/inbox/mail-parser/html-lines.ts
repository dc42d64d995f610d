import { Parser } from 'htmlparser2';
import type { MailLine } from '#server/inbox/mail-parser/cut-quote.ts';

/** Classes and ids that mail programs give to quotes. */
const QUOTE_CLASSES = new Set([
  'gmail_quote',
  'gmail_quote_container',
  'gmail_extra',
  'yahoo_quoted',
  'yahoo-quoted',
  'protonmail_quote',
  'moz-cite-prefix',
  'moz-forward-container',
  'zmail_extra',
  'tutanota_quote',
  'front-blockquote',
  'rc-quote',
  'reply-intro',
]);
const QUOTE_IDS = new Set([
  'divrplyfwdmsg',
  'appendonsend',
  'mail-editor-reference-message-container',
  'x_divrplyfwdmsg',
  'yahoo_quoted',
  'replyintro',
  'reply-intro',
  'ms-outlook-mobile-body-separator-line',
  'zwchr',
]);
/** Ids of elements after which the rest of the mail is the quote, although the quote is not nested in them. */
const QUOTE_START_IDS = new Set([
  'zwchr',
  'divrplyfwdmsg',
  'appendonsend',
  'x_divrplyfwdmsg',
  'ms-outlook-mobile-body-separator-line',
]);

const BLOCKS = new Set([
  'p',
  'div',
  'br',
  'tr',
  'table',
  'ul',
  'ol',
  'li',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'blockquote',
  'pre',
  'hr',
  'section',
  'article',
  'header',
  'footer',
  'address',
  'dl',
  'dt',
  'dd',
]);
/** Blocks with a blank line before and after. */
const PARAGRAPHS = new Set([
  'p',
  'ul',
  'ol',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'pre',
  'table',
  'blockquote',
]);
const INVISIBLE = new Set(['script', 'style', 'head', 'title', 'template', 'noscript', 'object']);
const VOID = new Set([
  'br',
  'hr',
  'img',
  'meta',
  'link',
  'input',
  'wbr',
  'col',
  'area',
  'base',
  'embed',
  'source',
]);

/** Maximum depth of tracked elements. Deeper elements contribute only their text. */
const DEPTH_MAX = 500;

/**
 * Converts the HTML of a mail to text lines as a reader sees them. Lines of a citing `blockquote` get the prefix `> `,
 * and quotes marked by mail programs set `inQuote`.
 */
export function htmlLines(html: string): MailLine[] {
  const lines: MailLine[] = [];
  let text = '';
  let sawQuote = false;
  const stack: { name: string; isQuote: boolean; isCite: boolean; isInvisible: boolean }[] = [];
  const depth = { quotes: 0, cites: 0, invisible: 0 };
  const end = (isParagraph: boolean) => {
    const marks = '> '.repeat(Math.min(depth.cites, 5));
    const isEmpty = text.trim() === '';
    if (!isEmpty) lines.push({ text: `${marks}${text.trim()}`, inQuote: depth.quotes > 0 || sawQuote });
    else if (isParagraph && lines.at(-1)?.text !== '')
      lines.push({ text: '', inQuote: depth.quotes > 0 || sawQuote });
    if (!isEmpty && isParagraph) lines.push({ text: '', inQuote: depth.quotes > 0 || sawQuote });
    text = '';
  };
  const change = (element: (typeof stack)[number], by: 1 | -1) => {
    if (element.isQuote) depth.quotes += by;
    if (element.isCite) depth.cites += by;
    if (element.isInvisible) depth.invisible += by;
  };
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (BLOCKS.has(name)) end(PARAGRAPHS.has(name) || (name === 'br' && text.trim() === ''));
        const id = (attributes.id ?? '').toLowerCase();
        if (QUOTE_START_IDS.has(id)) sawQuote = true;
        if (VOID.has(name) || stack.length >= DEPTH_MAX) return;
        const element = {
          name,
          isQuote: isQuoteElement(id, attributes.class ?? ''),
          isCite:
            name === 'blockquote' &&
            /cite/i.test(
              (attributes.type ?? '').slice(0, 20) +
                (attributes.class ?? '').slice(0, 200) +
                ('cite' in attributes ? 'cite' : ''),
            ),
          isInvisible: INVISIBLE.has(name),
        };
        stack.push(element);
        change(element, 1);
      },
      ontext(data) {
        if (depth.invisible > 0) return;
        const isPre = stack.some(({ name }) => name === 'pre');
        if (!isPre) {
          text += data.replaceAll(/[\s\u200b\ufeff]+/g, ' ');
          return;
        }
        for (const [number, line] of data.split('\n').entries()) {
          if (number > 0) end(text === '');
          text += line;
        }
      },
      onclosetag(name) {
        if (BLOCKS.has(name) && !VOID.has(name)) end(PARAGRAPHS.has(name));
        const element = stack.at(-1)?.name === name ? stack.pop() : undefined;
        if (element) change(element, -1);
      },
    },
    { decodeEntities: true, lowerCaseTags: true },
  );
  parser.write(html);
  parser.end();
  end(false);
  return lines;
}

function isQuoteElement(id: string, classes: string): boolean {
  if (QUOTE_IDS.has(id)) return true;
  return classes
    .slice(0, 500)
    .toLowerCase()
    .split(' ')
    .some((name) => QUOTE_CLASSES.has(name));
}
