/** How long the name of a file may be, in characters; what is cut away is before its ending. */
export const FILE_NAME_MAX_LENGTH = 120;

const NAMELESS = 'file';
/**
 * Control characters and those that turn the direction of writing, so that `exe.pdf` can be distinguished from
 * `fdp.exe`.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\u2028\u2029]/gu;
/** What file systems and shells take for something else than a letter. */
const SPECIAL = /[<>:"|?*]/g;
const ENDING = /\.[\p{L}\p{N}]{1,10}$/u;

/** So much of the beginning and of the end of a name is looked at, in UTF-16 units: far more than is kept. */
const LOOKED_AT = 400;

/**
 * The name of a file as it can be shown and saved: without folders, without what cannot be seen, not too long. The
 * name is a stranger's and may have any length: it is cut before an expression sees it.
 */
export function cleanFileName(given: string): string {
  const name = withoutEdges(
    cutMiddle(lastPart(given).toWellFormed())
      .replaceAll(UNSEEN, '')
      .replaceAll(SPECIAL, '_')
      .replaceAll(/\s/g, ' ')
      .replaceAll(/ {2,}/g, ' '),
  );
  if (name === '') return NAMELESS;
  const points = [...name];
  if (points.length <= FILE_NAME_MAX_LENGTH) return name;
  const ending = ENDING.exec(name)?.[0] ?? '';
  const kept = points.slice(0, FILE_NAME_MAX_LENGTH - [...ending].length).join('');
  return `${kept.trimEnd()}${ending}`;
}

function lastPart(given: string): string {
  return given.slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1);
}

/** Keeps the beginning and the end; no pair of surrogates is cut in two. */
function cutMiddle(name: string): string {
  if (name.length <= 2 * LOOKED_AT) return name;
  const isWithinPair = (at: number) => name.charCodeAt(at) >= 0xdc00 && name.charCodeAt(at) <= 0xdfff;
  const [end, start] = [LOOKED_AT, name.length - LOOKED_AT];
  return (
    name.slice(0, isWithinPair(end) ? end - 1 : end) + name.slice(isWithinPair(start) ? start + 1 : start)
  );
}

/** A name of dots is a folder, one that begins with a dot is hidden; Windows drops dots and spaces at the end. */
function withoutEdges(name: string): string {
  const isEdge = (at: number) => name[at] === '.' || name[at] === ' ';
  let start = 0;
  let end = name.length;
  while (start < end && isEdge(start)) start += 1;
  while (end > start && isEdge(end - 1)) end -= 1;
  return name.slice(start, end);
}
