/** A formatted range of a text, in UTF-16 units. @see https://core.telegram.org/bots/api#messageentity */
export type Entity = { type: string; offset: number; length: number; [more: string]: unknown };

export type FormattedText = { text: string; entities: Entity[] };

/** A call that Telegram rejects with 400. The message is the end of its description. */
export class BadRequest extends Error {}

/**
 * Parses a text in one of Telegram's formats, and finds the links and names in it.
 * @throws BadRequest
 * @see https://core.telegram.org/bots/api#formatting-options
 */
export function parseText(text: string, mode: string): FormattedText {
  const format = FORMATS[mode.toLowerCase()];
  if (!format) throw new BadRequest('unsupported parse_mode');
  const { text: plain, entities } = format(text);
  const formatted = entities.filter(({ length }) => length > 0);
  return { text: plain, entities: withFound(plain, formatted) };
}

/** Adds the links and names that Telegram finds in a text, beside its formatted ranges. */
export function withFound(text: string, formatted: Entity[]): Entity[] {
  const taken = formatted.filter(({ type }) => OPAQUE.has(type));
  const found: Entity[] = [];
  for (const [type, pattern] of FOUND) {
    for (const { 0: match, index } of text.matchAll(pattern)) {
      const overlaps = ({ offset, length }: Entity) =>
        offset < index + match.length && index < offset + length;
      if (![...taken, ...found].some(overlaps)) found.push({ type, offset: index, length: match.length });
    }
  }
  return [...formatted, ...found].toSorted((a, b) => a.offset - b.offset || b.length - a.length);
}

/** Ranges in which Telegram looks for nothing else. */
const OPAQUE = new Set(['code', 'pre', 'text_link', 'text_mention']);
const FOUND: readonly (readonly [string, RegExp])[] = [
  ['url', /\bhttps?:\/\/[^\s<>]*[^\s<>.,;:!?)'"]/g],
  ['email', /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g],
  ['bot_command', /(?<=^|\s)\/\w{1,64}/g],
  ['mention', /(?<=^|\s)@[a-z]\w{3,31}/gi],
  ['hashtag', /(?<=^|\s)#[\p{L}\p{N}_]+/gu],
];

const FORMATS: Readonly<Record<string, (text: string) => FormattedText>> = {
  '': (text) => ({ text, entities: [] }),
  html: parseHtml,
  markdown: (text) => parseMarkdown(text, { marks: LEGACY_MARKS, reserved: '' }),
  markdownv2: (text) => parseMarkdown(text, { marks: MARKS, reserved: '_*[]()~`>#+-=|{}.!' }),
};

const TAGS: Readonly<Record<string, string>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  code: 'code',
  pre: 'pre',
  a: 'text_link',
  blockquote: 'blockquote',
  'tg-spoiler': 'spoiler',
  span: 'spoiler',
};
const CHARACTERS: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };

function parseHtml(html: string): FormattedText {
  const entities: Entity[] = [];
  const open: { tag: string; entity: Entity }[] = [];
  let text = '';
  for (const [token, tag, attributes, name] of html.matchAll(
    /<(\/?[a-z\d-]{0,20})(\s[^<>]{0,2000})?>|&(#?\w{1,8});|[^<&]+|[<&]/gi,
  )) {
    if (token === '<')
      throw new BadRequest(`can't parse entities: Unsupported start tag "" at byte offset ${bytesOf(text)}`);
    if (tag === undefined) {
      text += name === undefined ? token : (characterOf(name) ?? token);
    } else if (tag.startsWith('/')) {
      const last = open.pop();
      if (!last || (tag !== '/' && last.tag !== tag.slice(1).toLowerCase()))
        throw new BadRequest(`can't parse entities: Unmatched end tag at byte offset ${bytesOf(text)}`);
      last.entity.length = text.length - last.entity.offset;
      entities.push(last.entity);
    } else {
      const type = TAGS[tag.toLowerCase()];
      if (!type)
        throw new BadRequest(
          `can't parse entities: Unsupported start tag "${tag}" at byte offset ${bytesOf(text)}`,
        );
      const url = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|(\S+))/i
        .exec(attributes ?? '')
        ?.slice(1)
        .find(Boolean);
      open.push({
        tag: tag.toLowerCase(),
        entity: { type, offset: text.length, length: 0, ...(url ? { url } : {}) },
      });
    }
  }
  const [unclosed] = open;
  if (unclosed)
    throw new BadRequest(
      `can't parse entities: Can't find end tag corresponding to start tag "${unclosed.tag}"`,
    );
  return { text, entities };
}

function characterOf(name: string): string | undefined {
  if (!name.startsWith('#')) return CHARACTERS[name.toLowerCase()];
  const code = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : undefined;
}

type Marks = readonly (readonly [mark: string, type: string])[];
/** Longer marks first. */
const MARKS: Marks = [
  ['```', 'pre'],
  ['||', 'spoiler'],
  ['__', 'underline'],
  ['*', 'bold'],
  ['_', 'italic'],
  ['~', 'strikethrough'],
  ['`', 'code'],
];
const LEGACY_MARKS: Marks = [
  ['```', 'pre'],
  ['*', 'bold'],
  ['_', 'italic'],
  ['`', 'code'],
];

function parseMarkdown(
  markdown: string,
  { marks, reserved }: { marks: Marks; reserved: string },
): FormattedText {
  const entities: Entity[] = [];
  const open: { mark: string; entity: Entity }[] = [];
  let text = '';
  for (let at = 0; at < markdown.length; ) {
    const rest = markdown.slice(at, at + 3);
    const inCode = OPAQUE.has(open.at(-1)?.entity.type ?? '') && open.at(-1)?.mark !== ']';
    if (rest.startsWith('\\') && rest.length > 1) {
      text += rest[1];
      at += 2;
      continue;
    }
    const closing = open.at(-1);
    if (closing && rest.startsWith(closing.mark)) {
      open.pop();
      at += closing.mark.length;
      closing.entity.length = text.length - closing.entity.offset;
      if (closing.mark === ']') {
        const url = /^\(([^)]*)\)/.exec(markdown.slice(at));
        if (url) at += url[0].length;
        Object.assign(closing.entity, { url: url?.[1]?.replaceAll(/\\(.)/g, '$1') });
        if (!url) continue;
      }
      entities.push(closing.entity);
      continue;
    }
    const mark = inCode ? undefined : marks.find(([each]) => rest.startsWith(each));
    if (mark) {
      open.push({ mark: mark[0], entity: { type: mark[1], offset: text.length, length: 0 } });
      at += mark[0].length;
    } else if (!inCode && rest.startsWith('[')) {
      open.push({ mark: ']', entity: { type: 'text_link', offset: text.length, length: 0 } });
      at += 1;
    } else {
      const [character = ''] = rest;
      if (!inCode && reserved.includes(character))
        throw new BadRequest(
          `can't parse entities: Character '${character}' is reserved and must be escaped with the preceding '\\'`,
        );
      text += character;
      at += 1;
    }
  }
  const [unclosed] = open;
  if (unclosed)
    throw new BadRequest(
      `can't parse entities: Can't find end of ${unclosed.entity.type} entity at byte offset ${bytesOf(text.slice(0, unclosed.entity.offset))}`,
    );
  return { text, entities };
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
