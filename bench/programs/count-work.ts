import pg from 'pg';

// Loaded before a program whose requests are measured (node --import): counts the statements that it sends to PostgreSQL, and
// says on request how many there were, and how much processor time and memory it took.

/** What a program did since it was asked last; `rssBytes` is what it holds now. */
export type Work = { statements: number; cpuMs: number; rssBytes: number; texts: string[] };

/** How many texts are kept, to see what is sent. */
const TEXTS_MAX = 200;

let statements = 0;
let texts: string[] = [];
let cpu = process.cpuUsage();

const original = pg.Client.prototype.query;
pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
  statements += 1;
  if (texts.length < TEXTS_MAX) texts.push(textOf(given[0]));
  return Reflect.apply(original, this, given);
};

process.on('message', (message) => {
  if (message !== 'work') return;
  const { user, system } = process.cpuUsage(cpu);
  const work: Work = {
    statements,
    cpuMs: (user + system) / 1_000,
    rssBytes: process.memoryUsage.rss(),
    texts,
  };
  process.send?.(work);
  statements = 0;
  texts = [];
  cpu = process.cpuUsage();
});

function textOf(query: unknown): string {
  if (typeof query === 'string') return query;
  return typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : '';
}
