import { z } from 'zod';
import { pool } from '#server/core/database/pools.ts';
import { type Statement, statementsOf } from '#test/database/statements.ts';

/** A node of a query plan, as PostgreSQL reports it after execution. */
type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string | undefined;
  'Index Name'?: string | undefined;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number | undefined;
  'Rows Removed by Index Recheck'?: number | undefined;
  Plans?: PlanNode[] | undefined;
};

const planNode: z.ZodType<PlanNode> = z.lazy(() =>
  z.object({
    'Node Type': z.string(),
    'Relation Name': z.string().optional(),
    'Index Name': z.string().optional(),
    'Actual Rows': z.number(),
    'Actual Loops': z.number(),
    'Rows Removed by Filter': z.number().optional(),
    'Rows Removed by Index Recheck': z.number().optional(),
    Plans: z.array(planNode).optional(),
  }),
);
const explained = z.array(z.object({ 'QUERY PLAN': z.array(z.object({ Plan: planNode })) }));

/** The sequentially scanned tables and the total number of rows read. */
export type Reading = { scanned: string[]; rows: number };

/**
 * Calls a function and returns what the plans of its statements read together. Inserts are left out, as a second
 * one would break unique indexes.
 */
export async function readingOf(call: () => Promise<unknown>): Promise<Reading & { statements: number }> {
  const statements = (await statementsOf(call)).filter(isPlanned);
  const sum: Reading = { scanned: [], rows: 0 };
  // One after another, as locking statements would wait for each other.
  for (const statement of statements) {
    const { scanned, rows } = await readPlan(statement);
    sum.scanned.push(...scanned);
    sum.rows += rows;
  }
  return { ...sum, statements: statements.length };
}

function isPlanned({ text }: Statement): boolean {
  return /^\s*(select|with|update|delete)\b/i.test(text) && !/\binsert into\b/i.test(text);
}

/** Executes a statement, returns what its plan read, and rolls back. */
export async function readPlan({ text, values }: Statement): Promise<Reading> {
  const roots = await explain(`explain (analyze, format json) ${text}`, values);
  const nodes = roots.flatMap(flatten);
  return {
    scanned: nodes.flatMap((node) => (node['Node Type'] === 'Seq Scan' ? (node['Relation Name'] ?? []) : [])),
    rows: roots.reduce((sum, node) => sum + rowsRead(node), 0),
  };
}

async function explain(text: string, values: unknown[]): Promise<PlanNode[]> {
  const client = await pool().connect();
  try {
    await client.query('begin');
    const { rows } = await client.query(text, values);
    return explained.parse(rows).flatMap((row) => row['QUERY PLAN'].map(({ Plan }) => Plan));
  } finally {
    await client.query('rollback');
    client.release();
  }
}

function flatten(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}

/** A bitmap's rows are also read from the table. */
function rowsRead(node: PlanNode): number {
  const own = isScan(node) ? touched(node) : 0;
  const below = (node.Plans ?? []).reduce((sum, each) => sum + rowsRead(each), 0);
  return node['Node Type'] === 'Bitmap Heap Scan' ? Math.max(own, below) : own + below;
}

function isScan(node: PlanNode): boolean {
  return node['Node Type'].includes('Scan') && node['Node Type'] !== 'Subquery Scan';
}

function touched(node: PlanNode): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return (node['Actual Rows'] + removed) * node['Actual Loops'];
}
