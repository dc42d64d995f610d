/** Prefixes of commands with a name. Choosing a command that ends in “…” types its prefix. */
export const PREFIXES = {
  assign: 'Assign to ',
  team: 'Move to team ',
  tag: 'Add tag ',
  savedReply: 'Insert saved reply ',
  teammateView: 'Conversations assigned to ',
  teamView: 'Conversations in team ',
  tagView: 'Conversations with tag ',
  savedView: 'View ',
} as const;

/** Returns the typed part of a name: the text without the words of a prefix, which may be typed in part. */
export function typedName(text: string): string {
  const rests = Object.values(PREFIXES).map((prefix) => withoutPrefix(text.trim(), prefix));
  return rests.reduce((shortest, rest) => (rest.length < shortest.length ? rest : shortest));
}

function withoutPrefix(text: string, prefix: string): string {
  let rest = text;
  for (const word of prefix.trim().toLowerCase().split(' ')) {
    const [first = ''] = rest.split(/\s/u, 1);
    if (first.toLowerCase() === word) rest = rest.slice(first.length).trimStart();
  }
  return rest;
}
