import { MENU_GROUPS, type MenuEntry, type MenuGroup } from '#app/components/command-menu/menu-entry.ts';
import { typedName } from '#app/components/command-menu/typed-name.ts';
import { foldText } from '#app/lib/fold-text.ts';

/** Maximum number of entries for a typed text. */
const SHOWN_MAX = 40;
/** Number of entries that the menu shows without scrolling. */
const FIRST = 15;
/** Maximum number of recent entries shown above the others. */
const RECENT_MAX = 5;

export type Section = { name: MenuGroup | 'Recent'; entries: MenuEntry[] };

/**
 * Returns the entries to show by group. Without text: recent entries, then all others in their order. With text: the
 * matching entries, best first, and groups in the order of their best entries.
 * @param recent ids of entries, most recent first
 */
export function rankEntries(entries: MenuEntry[], text: string, recent: readonly string[]): Section[] {
  const words = wordsOf(text);
  if (words.length === 0) return withRecent(entries, recent);
  const names = wordsOf(typedName(text));
  const byWords = scoreEntries(entries, { words, names }, wordScore);
  // Letters in order match too many entries to list them with matches of words.
  const scored = byWords.length > 0 ? byWords : scoreEntries(entries, { words, names }, lettersScore);
  const ranked = scored
    .map(({ entry, score }) => ({ entry, score: score + recencyOf(entry, recent) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, SHOWN_MAX);
  return sectionsOf(ranked.map(({ entry }) => entry));
}

/** Returns the first entries, which are rendered before the others. */
export function firstEntries(sections: Section[]): Section[] {
  let left = FIRST;
  return sections.flatMap(({ name, entries }) => {
    const first = entries.slice(0, left);
    left -= first.length;
    return first.length === 0 ? [] : [{ name, entries: first }];
  });
}

function withRecent(entries: MenuEntry[], recent: readonly string[]): Section[] {
  const used = recent.flatMap((id) => entries.find((entry) => entry.id === id) ?? []).slice(0, RECENT_MAX);
  const rest = entries.filter((entry) => !used.includes(entry));
  const others = sectionsOf(MENU_GROUPS.flatMap((name) => rest.filter(({ group }) => group === name)));
  return used.length === 0 ? others : [{ name: 'Recent', entries: used }, ...others];
}

function sectionsOf(entries: MenuEntry[]): Section[] {
  return [...Map.groupBy(entries, ({ group }) => group)].map(([name, all]) => ({ name, entries: all }));
}

/** Added when the label starts with the complete text. */
const PHRASE_BONUS = 2;
/** Subtracted for a word that only the further words of an entry match. */
const FURTHER_WORDS = 0.5;

type Score = (text: string, word: string) => number;

/**
 * Returns the entries that all words match, with their scores. An entry with a name is scored by the typed name, so that
 * "a" prefers the teammate Ada to every entry that starts with "Assign to" or "Add tag".
 */
function scoreEntries(
  entries: MenuEntry[],
  { words, names }: Record<'words' | 'names', string[]>,
  scoreOf: Score,
) {
  return entries.flatMap((entry) => {
    const texts = { label: foldText(entry.label), further: foldText(entry.words ?? '') };
    let score = scoreWords(texts, words, scoreOf);
    if (score !== null && entry.name !== undefined && names.length > 0) {
      const nameScore = scoreWords({ label: foldText(entry.name), further: '' }, names, scoreOf);
      // "assign ada" prefers "Assign to Ada" to "Conversations assigned to Ada".
      score = nameScore === null ? null : nameScore + (names.length < words.length ? score : 0);
    }
    return score === null ? [] : [{ entry, score }];
  });
}

/** Returns the average score of the words. Null unless each of them matches. */
function scoreWords(
  { label, further }: { label: string; further: string },
  words: string[],
  scoreOf: Score,
): number | null {
  const scores = words.map((word) => Math.max(scoreOf(label, word), scoreOf(further, word) - FURTHER_WORDS));
  if (scores.some((score) => score <= 0)) return null;
  const average = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  return average + (label.startsWith(words.join(' ')) ? PHRASE_BONUS : 0);
}

/** Less than the difference between two scores. */
function recencyOf({ id }: MenuEntry, recent: readonly string[]): number {
  const place = recent.indexOf(id);
  return place < 0 ? 0 : 0.5 / (place + 1);
}

/** Scores a match at the start of the text highest, then at the start of a word, then anywhere. */
function wordScore(text: string, word: string): number {
  if (text.startsWith(word)) return 4;
  if (startsWord(text, word)) return 3;
  return text.includes(word) ? 2 : 0;
}

function startsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || /[^\p{L}\p{N}]/u.test(text.charAt(at - 1))) return true;
  }
  return false;
}

/**
 * Scores letters that appear in this order in the text, starting with the first letter of a word ("rfnd" in
 * "Refund").
 */
function lettersScore(text: string, letters: string): number {
  const words = text.split(/[^\p{L}\p{N}]+/u);
  const isFound = words.some((word, index) => {
    if (!word.startsWith(letters.charAt(0))) return false;
    let at = 0;
    for (const letter of words.slice(index).join('')) if (letter === letters.charAt(at)) at += 1;
    return at === letters.length;
  });
  return isFound ? 1 : 0;
}

function wordsOf(text: string): string[] {
  return foldText(text)
    .split(/\s+/u)
    .filter((word) => word !== '');
}
