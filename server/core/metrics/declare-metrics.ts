import { Counter, Histogram, Registry } from 'prom-client';
import { processState } from '#server/core/process-state.ts';

const declarations: ((to: Registry) => void)[] = [];
let filled: Registry | undefined;

/** Returns the metrics of this process, with every declared one from the start. */
export const registry = processState(() => {
  filled = new Registry();
  for (const declare of declarations) declare(filled);
  return filled;
});

type CounterRules<Label extends string> = {
  name: string;
  help: string;
  /** Values of each label: a small fixed set, never ids. */
  labels: Record<Label, readonly string[]>;
};

/** Declares a counter. Every series starts at 0, so that its first count is an increase. */
export function counter<Label extends string>(rules: CounterRules<Label>) {
  const { name, help, labels } = rules;
  const labelNames = Object.keys(labels) as Label[];
  add(name, (to) => {
    const made = new Counter({ name, help, labelNames, registers: [to] });
    for (const series of seriesOf(labels)) made.inc(series, 0);
  });
  return {
    inc(series: Record<Label, string>, by = 1): void {
      (registry().getSingleMetric(name) as Counter<Label>).inc(series, by);
    },
  };
}

/** Declares a histogram of seconds, without labels. */
export function histogram(rules: { name: string; help: string; buckets: number[] }) {
  add(rules.name, (to) => void new Histogram({ ...rules, registers: [to] }));
  return {
    observe(seconds: number): void {
      (registry().getSingleMetric(rules.name) as Histogram).observe(seconds);
    },
  };
}

function add(name: string, make: (to: Registry) => void): void {
  const declare = (to: Registry) => {
    if (!to.getSingleMetric(name)) make(to);
  };
  declarations.push(declare);
  if (filled) declare(filled);
}

function seriesOf<Label extends string>(labels: Record<Label, readonly string[]>): Record<Label, string>[] {
  let series: Record<string, string>[] = [{}];
  for (const label of Object.keys(labels) as Label[]) {
    series = series.flatMap((one) => labels[label].map((value) => ({ ...one, [label]: value })));
  }
  return series as Record<Label, string>[];
}
