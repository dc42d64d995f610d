import pg from 'pg';
import type { Work } from '#bench/lab/measured-program.ts';

// Counts statements to PostgreSQL, processor time and memory of a measured program, and reports them on
// request. Loaded before the program (node --import).
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
