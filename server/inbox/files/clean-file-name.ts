/** Maximum length of a file name, in code points. */
export const FILE_NAME_MAX_LENGTH = 120;

const DEFAULT_NAME = 'file';
/**
 * Control, format and unassigned characters. The bidirectional overrides among them could disguise `fdp.exe` as
 * `exe.pdf`.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\u2028\u2029]/gu;
/** Characters with a special meaning in file systems or shells. */
const SPECIAL = /[<>:"|?*]/g;
const EXTENSION = /\.[\p{L}\p{N}]{1,10}$/u;

/** Number of UTF-16 units used from each end of a long name; far more than the maximum length. */
const END_UNITS = 400;

/**
 * Returns a file name that is safe to display and save: no folders, no invisible characters, limited length. The
 * untrusted name can have any length, so it is cut before a regular expression runs on it.
 */
export function cleanFileName(fileName: string): string {
  const name = trimDots(
    cutMiddle(lastPart(fileName).toWellFormed())
      .replaceAll(INVISIBLE, '')
      .replaceAll(SPECIAL, '_')
      .replaceAll(/\s/g, ' ')
      .replaceAll(/ {2,}/g, ' '),
  );
  if (name === '') return DEFAULT_NAME;
  const points = [...name];
  if (points.length <= FILE_NAME_MAX_LENGTH) return name;
  const extension = EXTENSION.exec(name)?.[0] ?? '';
  const stem = points.slice(0, FILE_NAME_MAX_LENGTH - [...extension].length).join('');
  return `${stem.trimEnd()}${extension}`;
}

function lastPart(fileName: string): string {
  return fileName.slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1);
}

/** Drops the middle of a long name without splitting a surrogate pair. */
function cutMiddle(name: string): string {
  if (name.length <= 2 * END_UNITS) return name;
  const isWithinPair = (at: number) => name.charCodeAt(at) >= 0xdc00 && name.charCodeAt(at) <= 0xdfff;
  const [end, start] = [END_UNITS, name.length - END_UNITS];
  return (
    name.slice(0, isWithinPair(end) ? end - 1 : end) + name.slice(isWithinPair(start) ? start + 1 : start)
  );
}

/** Trims dots and spaces: dots name a folder or hide a file, and Windows drops them at the end. */
function trimDots(name: string): string {
  const isEdge = (at: number) => name[at] === '.' || name[at] === ' ';
  let start = 0;
  let end = name.length;
  while (start < end && isEdge(start)) start += 1;
  while (end > start && isEdge(end - 1)) end -= 1;
  return name.slice(start, end);
}
