/**
 * Joins the lines of a paragraph that its author's mail program broke (RFC 3676): those that end with a space, up to a line
 * of another quote depth, an empty line or the separator of the signature. The MIME parser's own method (postal-mime 4.0.0)
 * does not know quotes (RFC 3676 §4.5): it joins an answer with the quoted line above it.
 * @param isDeletingSpace the parameter `DelSp`: the space at the end of a line is not part of the text
 * @returns lines with the prefix `> ` for each level of quotes
 */
export function decodeFlowed(text: string, isDeletingSpace: boolean): string {
  const paragraphs: string[] = [];
  let pieces: string[] = [];
  let depth = 0;
  const end = () => {
    if (pieces.length > 0) paragraphs.push(`${'> '.repeat(depth)}${pieces.join('')}`);
    pieces = [];
  };
  for (const raw of text.split(/\r?\n/)) {
    const line = readLine(raw);
    const isFixed = line.text === SIGNATURE || line.text.trim() === '';
    if (isFixed || line.depth !== depth) end();
    depth = line.depth;
    const isFlowed = !isFixed && line.text.endsWith(' ');
    pieces.push(isFlowed && isDeletingSpace ? line.text.slice(0, -1) : line.text);
    if (!isFlowed) end();
  }
  end();
  return paragraphs.join('\n');
}

const SIGNATURE = '-- ';
/** Maximum depth of quotes that is told apart. */
const DEPTH_MAX = 20;

/** Removes the quote prefixes and the stuffed space of a line. Programs also write `> > text` for the depth of two. */
function readLine(raw: string): { depth: number; text: string } {
  let [at, depth] = [0, 0];
  while (raw[at] === '>') {
    depth += 1;
    at += raw[at + 1] === ' ' && raw[at + 2] === '>' ? 2 : 1;
  }
  const text = raw.slice(raw[at] === ' ' ? at + 1 : at);
  return { depth: Math.min(depth, DEPTH_MAX), text };
}
