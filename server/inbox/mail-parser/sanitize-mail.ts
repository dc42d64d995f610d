import sanitizeHtml from 'sanitize-html';
import { isHidden } from '#server/inbox/mail-parser/html-elements.ts';

const COLOUR = [/^(?:#[0-9a-f]{3,8}|[a-z]{1,30}|rgba?\([\d ,.%]{1,40}\))$/i];
const SIZE = [/^-?\d{1,4}(?:\.\d{1,4})?(?:px|pt|em|rem|%)?$/i];
const WORD = [/^[a-z-]{1,30}$/i];
const BOX = [
  /^(?:-?\d{1,4}(?:\.\d{1,4})?(?:px|pt|em|rem|%)?|auto)(?: (?:-?\d{1,4}(?:\.\d{1,4})?(?:px|pt|em|rem|%)?|auto)){0,3}$/i,
];
const BORDER = [/^[\w#.%(), -]{1,60}$/];
const FONT = [/^[\w"', -]{1,200}$/];

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: [
    ...sanitizeHtml.defaults.allowedTags,
    'img',
    'font',
    'center',
    'del',
    'ins',
    'big',
    'strike',
    'tt',
    'colgroup',
    'col',
    'caption',
  ],
  disallowedTagsMode: 'discard',
  nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'title', 'template', 'svg', 'math'],
  allowedAttributes: {
    '*': [
      'data-hidden',
      'style',
      'align',
      'valign',
      'dir',
      'lang',
      'title',
      'width',
      'height',
      'bgcolor',
      'color',
    ],
    a: ['href', 'target', 'rel'],
    img: ['src', 'alt', 'data-remote'],
    font: ['face', 'size', 'color'],
    table: ['border', 'cellpadding', 'cellspacing'],
    td: ['colspan', 'rowspan', 'nowrap'],
    th: ['colspan', 'rowspan', 'nowrap'],
    ol: ['start', 'type'],
  },
  allowedStyles: {
    '*': {
      color: COLOUR,
      'background-color': COLOUR,
      'font-size': SIZE,
      'line-height': SIZE,
      'font-weight': [/^(?:\d{3}|[a-z]{1,10})$/],
      'font-style': WORD,
      'font-family': FONT,
      'text-align': WORD,
      'text-decoration': WORD,
      'vertical-align': WORD,
      'white-space': WORD,
      width: SIZE,
      'max-width': SIZE,
      height: SIZE,
      margin: BOX,
      'margin-top': SIZE,
      'margin-right': SIZE,
      'margin-bottom': SIZE,
      'margin-left': SIZE,
      padding: BOX,
      'padding-top': SIZE,
      'padding-right': SIZE,
      'padding-bottom': SIZE,
      'padding-left': SIZE,
      border: BORDER,
      'border-top': BORDER,
      'border-left': BORDER,
      'border-bottom': BORDER,
      'border-right': BORDER,
      'border-collapse': WORD,
    },
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['cid', 'data'] },
  allowedSchemesAppliedToAttributes: ['href', 'src'],
  allowProtocolRelative: false,
  nestingLimit: 100,
  // The filter gets only allowed attributes.
  exclusiveFilter: ({ attribs }) => 'data-hidden' in attribs,
  transformTags: {
    '*': (tagName, attribs) => ({
      tagName,
      attribs: isHidden(attribs) ? { ...attribs, 'data-hidden': '' } : attribs,
    }),
    a: sanitizeHtml.simpleTransform('a', { target: '_blank', rel: 'noopener noreferrer nofollow' }),
    // The mail's own `data-remote` is dropped: "Show pictures" would load its URL unchecked.
    img: (tagName, { src = '', 'data-remote': _, ...attribs }) => ({
      tagName,
      attribs: { ...attribs, ...pictureSource(src.trim()) },
    }),
  },
};

const PICTURE_DATA = /^data:image\/(?:png|jpe?g|gif|webp);base64,/i;

/**
 * Moves the URL of a remote picture to `data-remote`, so the picture is only loaded on request. Its server would
 * otherwise learn who opened the mail and when.
 */
function pictureSource(src: string): Record<string, string> {
  if (/^https?:\/\//i.test(src)) return { 'data-remote': src.slice(0, 4_000) };
  return /^cid:/i.test(src) || PICTURE_DATA.test(src.slice(0, 40)) ? { src } : {};
}

/**
 * Sanitizes the HTML of a mail: no scripts, forms, frames or style sheets. Links open in a new tab. Embedded pictures
 * keep their `cid:` URL (RFC 2392); remote pictures have only `data-remote`. What the mail hides is removed: its styles
 * that hide are not kept.
 */
export function sanitizeMail(html: string): string {
  return sanitizeHtml(html, OPTIONS);
}
