import type { AiAgent } from '#server/inbox/ai-agent/ai-agent.ts';

/**
 * The built-in agent: answers with the saved answer to the question that is most like the contact's message. Silent
 * when it is not sure, and when it has given that answer in this conversation already: asking again means that the
 * answer did not help.
 */
export const exampleAgent: AiAgent = {
  answer: async ({ messages, savedAnswers }) => {
    const asked = messages.at(-1);
    const found = asked?.from === 'contact' ? matchAnswer(asked.content, savedAnswers) : undefined;
    if (!found) return { kind: 'silent' };
    const given = messages.some(({ from, content }) => from === 'ai_agent' && content === found.answer);
    if (given) return { kind: 'silent' };
    return { kind: 'answer', content: found.answer, nextStatus: found.nextStatus };
  },
};

/** Of 1: how alike two questions have to be to be taken for the same. */
const ALIKE = 0.6;
/** Of 1: how much better the best has to be than any other with another answer. */
const CLEARLY = 0.1;

/** How much of a message is looked at, in UTF-16 units: a question is short, a stranger's mail may be of any length. */
const MESSAGE_MAX_LENGTH = 4_000;

/**
 * The saved answer whose question is most like a message, or undefined when none is like enough or two are about as
 * like: then no one knows which is meant. Each sentence of the message is looked at, as people say hello and explain.
 */
export function matchAnswer<Known extends { question: string; answer: string }>(
  message: string,
  known: Known[],
): Known | undefined {
  const begun = message.slice(0, MESSAGE_MAX_LENGTH);
  const asked = [begun, ...begun.split(/[.!?\n;]+/)]
    .map((sentence) => meaningWords(sentence))
    .filter(({ size }) => size > 0);
  const judged = known
    .map((saved) => ({ saved, likeness: bestLikeness(asked, meaningWords(saved.question)) }))
    .sort((a, b) => b.likeness - a.likeness);
  const [best] = judged;
  if (!best || best.likeness < ALIKE) return undefined;
  const other = judged.find(({ saved }) => saved.answer !== best.saved.answer);
  return other && best.likeness - other.likeness < CLEARLY ? undefined : best.saved;
}

function bestLikeness(asked: Set<string>[], saved: Set<string>): number {
  return Math.max(0, ...asked.map((words) => likeness(words, saved)));
}

/** How alike two sets of words are, from 0 to 1: the words they share, of all they have (Dice). */
function likeness(a: Set<string>, b: Set<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  const shared = [...a].filter((word) => b.has(word)).length;
  return (2 * shared) / (a.size + b.size);
}

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
