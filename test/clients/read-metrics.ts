/** A metric as Prometheus reads it: its type, and the value of each series by its raw labels. */
export type ReadMetric = { type: string; help: string; samples: Map<string, number> };

// Prometheus accepts NaN in any case.
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\[\\\\"n])*"';
const SAMPLE = new RegExp(
  `^([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{(?:${LABEL}(?:,${LABEL})*)?\\})? (N[aA][nN]|[+-]Inf|-?\\d[\\d.e+-]*)$`,
);
const SUFFIX = /_(bucket|sum|count)$/;

/**
 * Parses Prometheus' text format (version 0.0.4) as strictly as Prometheus does.
 * @throws for an invalid line, a metric defined twice or without a type, or a duplicate series
 */
export function readMetrics(text: string): Map<string, ReadMetric> {
  if (!text.endsWith('\n')) throw new Error('The last line does not end.');
  const metrics = new Map<string, ReadMetric>();
  let help: { name: string; text: string } | undefined;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (kind === 'HELP') help = { name, text: rest };
    else if (kind === 'TYPE') {
      if (metrics.has(name)) throw new Error(`${name} is defined twice.`);
      if (help?.name !== name) throw new Error(`${name} has no help.`);
      metrics.set(name, { type: rest, help: help.text, samples: new Map() });
    } else readSample(line, metrics);
  }
  return metrics;
}

function readSample(line: string, metrics: Map<string, ReadMetric>): void {
  const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
  const metric = metrics.get(name) ?? metrics.get(name.replace(SUFFIX, ''));
  if (!metric) throw new Error(`Not a line of a metric: ${line}`);
  const series = `${metrics.has(name) ? '' : name.slice(name.lastIndexOf('_') + 1)}${labels}`;
  if (metric.samples.has(series)) throw new Error(`A series appears twice: ${line}`);
  metric.samples.set(series, Number(value.replace('Inf', 'Infinity').replace(/^nan$/i, 'NaN')));
}
