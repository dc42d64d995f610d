import type { MailFile } from '#server/inbox/mail-parser/parsed-mail.ts';

/** Minimum length of a picture in base64, in UTF-16 units. Smaller ones are icons and logos, and stay in the HTML. */
const PICTURE_MIN_LENGTH = 10_000;
/** Fewer than the files of a mail, so that there is room for attached ones. */
const PICTURES_MAX = 50;

/** Start of an attribute with a picture of a type that is shown inline (RFC 2397). */
const START = /\ssrc\s{0,5}=\s{0,5}(["'])data:(image\/(png|jpe?g|gif|webp));base64,/gi;

/**
 * Takes large pictures out of the HTML, which then shows them by their Content-ID. Otherwise they would not be among the files, and the
 * text below them would be beyond the maximum length of the HTML.
 * @param first number of the first picture, which makes the Content-IDs of a mail unique
 */
export function takePictures(html: string, first: number): { html: string; pictures: MailFile[] } {
  const pictures: MailFile[] = [];
  const pieces: string[] = [];
  let done = 0;
  for (const { 0: start, 1: quote = '"', 2: type = '', 3: extension, index } of html.matchAll(START)) {
    const from = index + start.length;
    const to = html.indexOf(quote, from);
    if (to === -1 || pictures.length === PICTURES_MAX) break;
    if (from < done || to - from < PICTURE_MIN_LENGTH) continue;
    const contentId = `picture-${first + pictures.length}@html.invalid`;
    pictures.push({
      name: `image.${extension?.toLowerCase() ?? ''}`,
      contentType: type.toLowerCase(),
      contentId,
      isInline: false,
      content: Uint8Array.from(Buffer.from(html.slice(from, to), 'base64')),
    });
    pieces.push(html.slice(done, index), ` src=${quote}cid:${contentId}`);
    done = to;
  }
  return { html: pieces.join('') + html.slice(done), pictures };
}
