import { sql } from '#server/core/database/sql.ts';
import type { SearchLanguage } from '#server/core/search-languages.ts';
import { truncateText } from '#server/core/text.ts';
import type { AiAgent } from '#server/inbox/ai-agent/ai-agent.ts';

/**
 * The built-in agent: answers with the saved answer whose question is most similar to the contact's message. Silent
 * when it is not sure, or when it already gave that answer in this conversation: a repeated question means that the
 * answer did not help.
 */
export const exampleAgent: AiAgent = {
  answer: async ({ messages, savedAnswers, language }) => {
    const asked = messages.at(-1);
    if (asked?.from !== 'contact') return { kind: 'silent' };
    const texts = [...sentencesOf(asked.content), ...savedAnswers.map(({ question }) => question)];
    const found = matchAnswer(asked.content, savedAnswers, await wordsIn(language, texts));
    if (!found) return { kind: 'silent' };
    const wasGiven = messages.some(({ from, content }) => from === 'ai_agent' && content === found.answer);
    if (wasGiven) return { kind: 'silent' };
    return { kind: 'answer', content: found.answer, nextStatus: found.nextStatus };
  },
};

/** Minimum similarity between a message and a saved question, from 0 to 1. */
const MIN_SIMILARITY = 0.6;
/** Minimum lead over the best question with a different answer, from 0 to 1. */
const MIN_LEAD = 0.1;

/** Compared prefix of a message, in UTF-16 units. Questions are short, and untrusted mail can be of any length. */
const MESSAGE_MAX_LENGTH = 4_000;

/**
 * Returns the saved answer whose question is most similar to a message. Returns undefined when no question is similar
 * enough, or when two different answers match almost equally well. Compares each sentence of the message separately,
 * as people add greetings and explanations.
 * @param wordsOf returns the stems of the meaningful words of a text, by default of an English one
 */
export function matchAnswer<Known extends { question: string; answer: string }>(
  message: string,
  known: Known[],
  wordsOf: (text: string) => Set<string> = meaningWords,
): Known | undefined {
  const asked = sentencesOf(message)
    .map((sentence) => wordsOf(sentence))
    .filter(({ size }) => size > 0);
  const ranked = known
    .map((saved) => ({ saved, similarity: bestSimilarity(asked, wordsOf(saved.question)) }))
    .sort((a, b) => b.similarity - a.similarity);
  const [best] = ranked;
  if (!best || best.similarity < MIN_SIMILARITY) return undefined;
  const other = ranked.find(({ saved }) => saved.answer !== best.saved.answer);
  return other && best.similarity - other.similarity < MIN_LEAD ? undefined : best.saved;
}

/** Returns the compared part of a message, and its sentences. */
function sentencesOf(message: string): string[] {
  const start = message.slice(0, MESSAGE_MAX_LENGTH);
  return [start, ...start.split(/[.!?\n;]+/)];
}

/** Returns `wordsOf` for these texts. PostgreSQL knows the stems and the words without meaning of the language. */
async function wordsIn(language: SearchLanguage, texts: string[]): Promise<(text: string) => Set<string>> {
  // English has a list of its own, which also drops greetings. Other languages without stems have none.
  if (language === 'english' || language === 'simple') return meaningWords;
  const rows = await sql().$queryRaw<{ words: string[] }[]>`
    select array(select word from unnest(tsvector_to_array(stems_of(${language}, given.content))) word where word !~ '[0-9]') as words
    from unnest(${texts.map((text) => truncateText(text, MESSAGE_MAX_LENGTH))}::text[]) with ordinality as given (content, place)
    order by place`;
  const words = new Map(texts.map((text, n) => [text, new Set(rows[n]?.words)]));
  return (text) => words.get(text) ?? new Set();
}

function bestSimilarity(asked: Set<string>[], saved: Set<string>): number {
  return Math.max(0, ...asked.map((words) => similarity(words, saved)));
}

/** Returns the Dice coefficient of two sets of words, from 0 to 1. */
function similarity(a: Set<string>, b: Set<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  const shared = [...a].filter((word) => b.has(word)).length;
  return (2 * shared) / (a.size + b.size);
}

/** Words that carry no meaning in a question. */
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
 * Returns the stems of the meaningful words of a text. Drops stop words and everything with a digit: an order number
 * says nothing about the question.
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

/** English endings and their replacements, longest first. A stem keeps at least three letters. */
const ENDINGS: [ending: RegExp, replacement: string][] = [
  [/ies$/, 'y'],
  [/(?<=s|x|z|ch|sh)es$/, ''],
  [/(?<=[^s])s$/, ''],
  [/ing$/, ''],
  [/ied$/, 'y'],
  [/ed$/, ''],
];

/** Returns a word without its ending: `deliveries` becomes `delivery`, `cancelled` and `canceling` become `cancel`. */
function stem(word: string): string {
  let stemmed = word;
  for (const [ending, replacement] of ENDINGS) {
    const shorter = stemmed.replace(ending, replacement);
    if (shorter.length >= 3) stemmed = shorter;
  }
  // Drops a doubled letter before the ending, and the final e that some forms lose.
  return stemmed.replace(/([bdgklmnprt])\1$/, '$1').replace(/(?<=..[^aeiou])e$/, '');
}
