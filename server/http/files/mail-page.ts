/** A picture of a mail: the Content-ID by which its HTML names it, and the attachment that it is. */
export type MailPicture = { id: string; contentId: string | null };

/**
 * The page of a mail's HTML, which was cleaned when it came in. Pictures that came with it are shown in their place;
 * those on other servers only when a reader asked for them.
 * @param html as `sanitizeMail` wrote it: attributes in double quotes
 */
export function mailPage(
  html: string,
  pictures: MailPicture[],
  { withRemote }: { withRemote: boolean },
): string {
  const ids = new Map(pictures.map(({ id, contentId }) => [contentId?.toLowerCase(), id]));
  const shown = html.replaceAll(/ src="cid:([^"]{1,600})"/gi, (_all, contentId: string) => {
    const id = ids.get(unescapeQuotes(contentId).toLowerCase());
    return id === undefined ? '' : ` src="/attachments/${id}"`;
  });
  return `${HEAD}${withRemote ? shown.replaceAll(' data-remote="', ' src="') : shown}</body></html>`;
}

function unescapeQuotes(text: string): string {
  return text.replaceAll('&amp;', '&').replaceAll('&gt;', '>').replaceAll('&lt;', '<');
}

const HEAD = `<!doctype html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Email</title><style>
:root{color-scheme:light}body{margin:0;padding:16px;background:#fff;color:#1c1c1e;font:14px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
img{max-width:100%;height:auto}table{max-width:100%}blockquote{margin:0 0 0 8px;padding-left:12px;border-left:2px solid #d4d4d8}
pre{white-space:pre-wrap}</style></head><body>`;

/** Nothing in a mail runs or loads anything; its links open apart, and pictures on other servers are let in when asked for. */
export function mailPolicy({ withRemote }: { withRemote: boolean }): string {
  return [
    "default-src 'none'",
    `img-src 'self' data:${withRemote ? ' https: http:' : ''}`,
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox',
  ].join('; ');
}
