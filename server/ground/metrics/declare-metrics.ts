import { Counter, Histogram, Registry } from 'prom-client';

const shared = globalThis as typeof globalThis & { serviceMetrics?: Registry };

/** All that this process counts, once in it: Next has its own copy of this module. */
export function registry(): Registry {
  shared.serviceMetrics ??= new Registry();
  return shared.serviceMetrics;
}

type CounterRules<Label extends string> = {
  name: string;
  help: string;
  /** The values that each label may have: a small fixed set, never ids. */
  labels: Record<Label, readonly string[]>;
};

/** Declares a counter. Every series begins at 0, so that the first of its kind is seen as an increase. */
export function counter<Label extends string>({ name, help, labels }: CounterRules<Label>): Counter<Label> {
  const declared = registry().getSingleMetric(name);
  if (declared) return declared as Counter<Label>;
  const labelNames = Object.keys(labels) as Label[];
  const made = new Counter({ name, help, labelNames, registers: [registry()] });
  let series: Partial<Record<Label, string>>[] = [{}];
  for (const label of labelNames) {
    series = series.flatMap((one) => labels[label].map((value) => ({ ...one, [label]: value })));
  }
  for (const one of series) made.inc(one, 0);
  return made;
}

/** Declares a histogram of seconds, without labels. */
export function histogram(rules: { name: string; help: string; buckets: number[] }): Histogram {
  const declared = registry().getSingleMetric(rules.name);
  return (declared as Histogram | undefined) ?? new Histogram({ ...rules, registers: [registry()] });
}
