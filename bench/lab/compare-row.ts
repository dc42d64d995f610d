import { compare, type FigureOf } from '#bench/compare.ts';
import { measureRow } from '#bench/lab/measure-row.ts';
import type { Row } from '#bench/lab/rows.ts';
import { type RequestOptions, withRequests } from '#bench/lab/with-requests.ts';

/** Compares one kind of request with the bare program, in a workspace filled for it. */
export async function compareRow(
  benchmark: string,
  row: Row,
  { rounds, figures, ...options }: RequestOptions & { rounds: number; figures: Record<string, FigureOf> },
): Promise<void> {
  await withRequests(options, async ({ url, stage, load, ours, floor }) => {
    const requests = async () => row.make(stage, url);
    const side = (name: string, program: typeof ours) => ({
      name,
      measure: () => measureRow({ program, load, row, url, title: name, requests }),
    });
    const sides = [side('the service', ours), side('a bare program', floor)];
    // Once before it counts: code is compiled, statements are prepared, connections opened.
    for (const { measure } of sides) await measure();
    await compare(benchmark, {
      rounds,
      figures: {
        ...figures,
        'processor time of a request': { unit: 'ms' },
        'statements of a request': { unit: '' },
      },
      sides,
    });
  });
}
