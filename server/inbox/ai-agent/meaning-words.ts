/** Words that say nothing of what a question is about. */
const STOP_WORDS = new Set(
  `a about actually again all also am an and any anybody anyone are as at be been but by can cannot cant could
  day dear did do does doing dont else for from get give go good got greetings had has have having hello help her
  hey hi him his how i id if ill im in into is it its ive just know let like look looking may maybe me might mine
  morning much must my need no now of off on one only or our out over own perhaps please question regards same
  shall she should so some somebody someone still team tell thank thanks that the their them then there these they
  thing this those though to too up us use very want wanted wants was we well were what whats which while will
  wish with within without would yes yet you your yours`.split(/\s+/),
);

/**
 * The words of a text that say what it is about: without those that every question has, without numbers (an order's
 * number says nothing about the question), and each in the same form whatever its ending.
 */
export function meaningWords(text: string): Set<string> {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return new Set(
    words?.filter((word) => !STOP_WORDS.has(word) && /\p{L}/u.test(word) && !/\d/.test(word)).map(stem),
  );
}

/** Endings of English and what is in their place, longest first; what is left has three letters or more. */
const ENDINGS: [ending: RegExp, instead: string][] = [
  [/ies$/, 'y'],
  [/(?<=s|x|z|ch|sh)es$/, ''],
  [/(?<=[^s])s$/, ''],
  [/ing$/, ''],
  [/ied$/, 'y'],
  [/ed$/, ''],
];

/** A word without its ending: `deliveries` and `delivery` are one, as are `cancelled` and `canceling`. */
function stem(word: string): string {
  let stemmed = word;
  for (const [ending, instead] of ENDINGS) {
    const shorter = stemmed.replace(ending, instead);
    if (shorter.length >= 3) stemmed = shorter;
  }
  // A doubled letter before the ending, and an e that some forms drop.
  return stemmed.replace(/([bdgklmnprt])\1$/, '$1').replace(/(?<=..[^aeiou])e$/, '');
}
