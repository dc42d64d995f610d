import { z } from 'zod';
import { pool } from '#server/core/database/pools.ts';
import type { Statement } from '#test/database/statements.ts';

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

/** Executes a read-only statement and returns what its plan read. */
export async function readPlan({ text, values }: Statement): Promise<Reading> {
  const { rows } = await pool().query(`explain (analyze, format json) ${text}`, values);
  const nodes = explained
    .parse(rows)
    .flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => flatten(Plan)));
  return {
    scanned: nodes.flatMap((node) => (node['Node Type'] === 'Seq Scan' ? (node['Relation Name'] ?? []) : [])),
    rows: nodes.reduce((sum, node) => sum + (isScan(node) ? touched(node) : 0), 0),
  };
}

function flatten(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}

function isScan(node: PlanNode): boolean {
  return node['Node Type'].includes('Scan') && node['Node Type'] !== 'Subquery Scan';
}

function touched(node: PlanNode): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return (node['Actual Rows'] + removed) * node['Actual Loops'];
}
