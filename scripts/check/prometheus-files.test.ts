import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { projectDir, projectPath } from '#server/core/project.ts';

// The rules themselves are tested by `promtool test rules deploy/prometheus/alerts.test.yaml`.

const read = (file: string) => readFileSync(projectPath(file), 'utf8');
const operations = read('docs/operations.md');

/** The metrics that the code declares, and those of Prometheus, Node and the process that the documents name. */
const declared = globSync('server/**/*.ts', { cwd: projectDir })
  .filter((file) => !file.includes('.test.'))
  .flatMap((file) => [...read(file).matchAll(/'(inbox_[a-z_]+)'/g)].map(([, name = '']) => name));
const others = ['up', 'nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes'];

type Rule = { alert: string; expr: string; annotations: { summary: string; runbook: string } };
const rules: Rule[] = parse(read('deploy/prometheus/alerts.yaml')).groups.flatMap(
  ({ rules }: { rules: Rule[] }) => rules,
);
const dashboard: { panels: { title: string; targets: { expr: string }[] }[] } = JSON.parse(
  read('deploy/prometheus/dashboard.json'),
);

/** Returns the metrics that an expression reads. A histogram is read by its buckets. */
function metricsOf(expr: string): string[] {
  const names =
    expr.replaceAll(/\{[^}]*\}/g, '{}').match(/\b(?:inbox|nodejs|process)_[a-z0-9_]+|\bup\b/g) ?? [];
  return names.map((name) => name.replace(/_bucket$/, ''));
}

test('each alert and each panel reads metrics that exist', () => {
  const expressions = [
    ...rules.map(({ alert, expr }) => [alert, expr] as const),
    ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
  ];
  for (const [name, expr] of expressions) {
    const metrics = metricsOf(expr);
    expect(metrics, name).not.toEqual([]);
    expect(
      metrics.filter((metric) => ![...declared, ...others].includes(metric)),
      name,
    ).toEqual([]);
  }
});

test('each metric that the code declares is documented, and shown in the dashboard', () => {
  const shown = dashboard.panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsOf(expr)));
  for (const metric of declared) {
    expect(operations, metric).toContain(`\`${metric}`);
    expect(shown, metric).toContain(metric);
  }
});

test('each alert is raised in a test, and named after one that exists', () => {
  const tests: { alert_rule_test: { alertname: string; exp_alerts?: unknown[] }[] }[] = parse(
    read('deploy/prometheus/alerts.test.yaml'),
  ).tests;
  const cases = tests.flatMap(({ alert_rule_test }) => alert_rule_test);
  const names = rules.map(({ alert }) => alert);
  expect(names).toEqual(expect.arrayContaining(cases.map(({ alertname }) => alertname)));
  const raised = cases.filter(({ exp_alerts = [] }) => exp_alerts.length > 0);
  expect(raised.map(({ alertname }) => alertname)).toEqual(expect.arrayContaining(names));
});

test('each alert has a sentence, and a runbook that exists', () => {
  for (const { alert, annotations } of rules) {
    expect(annotations.summary, alert).toMatch(/\.$/);
    const [file = '', heading] = annotations.runbook.split('#');
    expect(read(file).toLowerCase(), alert).toContain(`\n## ${heading}\n`);
  }
});
