import { Parser } from 'htmlparser2';
import type { MailLine } from '#server/inbox/mail-parser/cut-quote.ts';
import {
  isCite,
  isHidden,
  linkAddress,
  pictureText,
  saysAddress,
} from '#server/inbox/mail-parser/html-elements.ts';
import {
  answeredParts,
  endPart,
  type HtmlLine,
  hasQuoteClass,
  isInQuote,
  isQuotePart,
  type QuotePart,
  startsQuote,
} from '#server/inbox/mail-parser/html-quotes.ts';

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
/** Not `head`: browsers end it at the first element that does not belong there, and show that. */
const INVISIBLE = new Set(['script', 'style', 'title', 'template', 'noscript', 'object']);
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
const CELLS = new Set(['td', 'th']);
const LISTS = new Set(['ol', 'ul']);

type Element = {
  name: string;
  part: QuotePart | null;
  isQuoted: boolean;
  isCited: boolean;
  isInvisible: boolean;
  /** Number of the next item of an ordered list. */
  next: number | null;
};

/**
 * Converts the HTML of a mail to text lines as a reader sees them: cells of a row separated by tabs, ordered lists with
 * numbers, links with their address in brackets where their text does not say it, pictures of other servers as their
 * description, and nothing that the page hides. Lines of a citing `blockquote` get the prefix `> `, and quotes marked by mail
 * programs set `inQuote`.
 */
export function htmlLines(html: string): MailLine[] {
  const lines: HtmlLine[] = [];
  const stack: Element[] = [];
  const parts: QuotePart[] = [];
  const depth = { quoted: 0, cited: 0, blockquotes: 0, invisible: 0, pre: 0 };
  let rest: QuotePart | null = null;
  let text = '';
  let marker = '';
  let link: { address: string; text: string } | null = null;

  const add = (shown: string) => {
    lines.push({
      text: shown === '' ? '' : `${'> '.repeat(Math.min(depth.cited, 5))}${shown}`,
      part: parts.at(-1) ?? rest,
      isQuoted: depth.quoted > 0,
      isCited: depth.cited > 0,
      inBlockquote: depth.blockquotes > 0,
    });
  };
  const end = (isParagraph: boolean) => {
    const shown = depth.pre > 0 ? text.trimEnd() : text.replaceAll(/ ?\t[ \t]*/g, '\t').trim();
    text = '';
    if (shown.trim() === '') {
      if (isParagraph && marker === '' && lines.at(-1)?.text !== '') add('');
      return;
    }
    add(`${marker}${shown}`);
    marker = '';
    if (isParagraph) add('');
  };
  const count = ({ name, isQuoted, isCited, isInvisible }: Element, by: 1 | -1) => {
    if (isQuoted) depth.quoted += by;
    if (isCited) depth.cited += by;
    if (isInvisible) depth.invisible += by;
    if (name === 'blockquote') depth.blockquotes += by;
    if (name === 'pre') depth.pre += by;
  };
  const open = (name: string, attributes: Record<string, string>) => {
    const part = isQuotePart(name, attributes) ? startPart(lines) : null;
    const isBlockquote = name === 'blockquote';
    const isQuoted =
      isBlockquote && (parts.length > 0 || rest !== null || hasQuoteClass(attributes.class ?? ''));
    if (isQuoted) {
      for (const each of rest ? [rest, ...parts] : parts) each.firstQuote ??= lines.length;
    }
    const element: Element = {
      name,
      part,
      isQuoted,
      isCited: isBlockquote && isCite(attributes),
      isInvisible: INVISIBLE.has(name) || isHidden(attributes),
      next: name === 'ol' ? Number.parseInt(attributes.start ?? '', 10) || 1 : null,
    };
    if (part) parts.push(part);
    stack.push(element);
    count(element, 1);
  };
  const close = ({ part, ...element }: Element) => {
    count({ part, ...element }, -1);
    if (!part) return;
    parts.pop();
    endPart(part, lines);
  };

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (BLOCKS.has(name)) end(PARAGRAPHS.has(name) || (name === 'br' && text.trim() === ''));
        if (CELLS.has(name)) text += '\t';
        if (startsQuote(attributes)) rest ??= startPart(lines);
        if (name === 'img' && depth.invisible === 0) {
          const alt = pictureText(attributes);
          text += alt;
          if (link) link.text += alt;
        }
        if (name === 'li') marker = itemMarker(stack.findLast((each) => LISTS.has(each.name)));
        if (name === 'a' && depth.invisible === 0)
          link = { address: linkAddress(attributes.href ?? ''), text: '' };
        if (!VOID.has(name) && stack.length < DEPTH_MAX) open(name, attributes);
      },
      ontext(data) {
        if (depth.invisible > 0) return;
        if (link) link.text += data;
        if (depth.pre === 0) {
          text += data.replaceAll(/[\s\u200b\ufeff]+/g, ' ');
          return;
        }
        for (const [number, line] of data.split('\n').entries()) {
          if (number > 0) end(text === '');
          text += line;
        }
      },
      onclosetag(name) {
        if (name === 'a' && link) {
          if (link.text.trim() !== '' && !saysAddress(link.text, link.address)) text += ` [${link.address}]`;
          link = null;
        }
        if (BLOCKS.has(name) && !VOID.has(name)) end(PARAGRAPHS.has(name));
        const element = stack.at(-1)?.name === name ? stack.pop() : undefined;
        if (element) close(element);
      },
    },
    { decodeEntities: true, lowerCaseTags: true },
  );
  parser.write(html);
  parser.end();
  end(false);
  if (rest) endPart(rest, lines);
  return toMailLines(lines);
}

function startPart(lines: readonly HtmlLine[]): QuotePart {
  return { start: lines.length, firstQuote: null, hasAttribution: false };
}

/** Returns the number of the next item of a list; empty for an unordered list. */
function itemMarker(list: Element | undefined): string {
  if (list === undefined || list.next === null) return '';
  list.next += 1;
  return `${list.next - 1}. `;
}

/** Returns the lines with prefixes for the quotes that an answer stands beside. */
function toMailLines(lines: readonly HtmlLine[]): MailLine[] {
  const answered = answeredParts(lines);
  return lines.map((line, at) => {
    const { text, part, isQuoted, isCited, inBlockquote } = line;
    const needsPrefix = isQuoted && !isCited && part !== null && answered.has(part) && text !== '';
    return { text: needsPrefix ? `> ${text}` : text, inQuote: isInQuote(line, at), inBlockquote };
  });
}
