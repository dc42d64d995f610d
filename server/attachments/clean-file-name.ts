/** How long the name of a file may be, in characters; what is cut away stands before its ending. */
export const FILE_NAME_MAX_LENGTH = 120;

const NAMELESS = 'file';
/** Control characters and those that turn the direction of writing, so that `exe.pdf` can be told from `fdp.exe`. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\u2028\u2029]/gu;
/** What file systems and shells take for something else than a letter. */
const SPECIAL = /[<>:"|?*]/g;
const ENDING = /\.[\p{L}\p{N}]{1,10}$/u;

/** The name of a file as it can be shown and saved: without folders, without what cannot be seen, not too long. */
export function cleanFileName(given: string): string {
  const last = given.toWellFormed().split(/[\\/]/).at(-1) ?? '';
  const name = last
    .replaceAll(UNSEEN, '')
    .replaceAll(SPECIAL, '_')
    .replaceAll(/\s+/g, ' ')
    // A name of dots is a folder, one that begins with a dot is hidden.
    .replace(/^[\s.]+/, '')
    .replace(/[\s.]+$/, '');
  if (name === '') return NAMELESS;
  const ending = ENDING.exec(name)?.[0] ?? '';
  const points = [...name];
  if (points.length <= FILE_NAME_MAX_LENGTH) return name;
  const kept = points.slice(0, FILE_NAME_MAX_LENGTH - [...ending].length).join('');
  return `${kept.trimEnd()}${ending}`;
}
