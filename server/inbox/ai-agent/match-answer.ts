import { meaningWords } from '#server/inbox/ai-agent/meaning-words.ts';

/** Of 1: how alike two questions have to be to be taken for the same. */
const ALIKE = 0.6;
/** Of 1: how much better the best has to be than any other with another answer. */
const CLEARLY = 0.1;

/** How much of a message is looked at, in UTF-16 units: a question is short, a stranger's mail may be of any length. */
const MESSAGE_MAX_LENGTH = 4_000;

/**
 * The saved answer whose question is most like a message, or undefined when none is like enough or two are about as
 * like: then nobody knows which is meant. Each sentence of the message is looked at, as people say hello and explain.
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
