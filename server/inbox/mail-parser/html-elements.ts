/** Maximum parsed length of an attribute, in UTF-16 units. */
const ATTRIBUTE_MAX_LENGTH = 2_000;
/** Maximum length of the description of a picture, in UTF-16 units. */
const ALT_MAX_LENGTH = 200;

type Attributes = Record<string, string>;

/** Returns whether a `blockquote` is a quote of another text, as mail programs mark it. */
export function isCite({ type = '', class: classes = '', ...others }: Attributes): boolean {
  return 'cite' in others || /cite/i.test(type.slice(0, 20)) || /cite/i.test(classes.slice(0, 200));
}

const HIDING = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0\s*(?:;|$|!))/i;

/** Returns whether an element and everything in it is hidden by its own attributes. */
export function isHidden({ style = '', ...others }: Attributes): boolean {
  return 'hidden' in others || HIDING.test(style.slice(0, ATTRIBUTE_MAX_LENGTH));
}

/** Returns the address of a link as people write it, without `mailto:` and its parameters; empty for other schemes. */
export function linkAddress(href: string): string {
  const url = href.trim();
  if (url.length > ATTRIBUTE_MAX_LENGTH) return '';
  if (/^https?:\/\//i.test(url)) return url;
  return /^(?:mailto|tel):/i.test(url)
    ? (url
        .slice(url.indexOf(':') + 1)
        .split('?', 1)[0]
        ?.trim() ?? '')
    : '';
}

/** Returns whether the text of a link says its address, or the link has none. */
export function saysAddress(text: string, address: string): boolean {
  return address === '' || bare(text).includes(bare(address));
}

function bare(text: string): string {
  return text
    .slice(0, ATTRIBUTE_MAX_LENGTH)
    .toLowerCase()
    .replaceAll(/\s+/g, '')
    .replace(/^(?:mailto:|tel:|https?:\/\/)/, '')
    .replace(/^www\./, '')
    .replace(/\/$/, '');
}

/** Returns the description of a picture that the mail does not contain; empty for pictures nobody is meant to see. */
export function pictureText({ alt = '', src = '', width = '', height = '', ...others }: Attributes): string {
  const isTiny = /^[0-2](?:px)?$/.test(width) || /^[0-2](?:px)?$/.test(height);
  const isContained = /^(?:cid|data):/i.test(src.trim());
  return isTiny || isContained || isHidden(others) ? '' : alt.trim().slice(0, ALT_MAX_LENGTH);
}
