import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { describeLoad, type Plan, runPlan, stageOf } from '#scripts/check/run-plan.ts';

const written: string[] = [];
beforeEach(() => {
  written.length = 0;
  for (const method of ['log', 'error'] as const)
    vi.spyOn(console, method).mockImplementation((line) => void written.push(String(line)));
});
afterEach(() => void vi.restoreAllMocks());

const going = new AbortController().signal;
const labels = (lines: string[]) => lines.map((line) => line.trim().split(' ')[0]);

test('lanes run in parallel, each in order, and the next stage waits for all', async () => {
  const events: string[] = [];
  const met = Promise.withResolvers<void>();
  const stage = (label: string, work: () => Promise<void> = async () => {}) =>
    stageOf(label, async () => {
      events.push(`${label} begins`);
      await work();
      events.push(`${label} ends`);
    });
  const plan: Plan = [
    {
      sideBySide: [
        // The first stage waits for the second stage of the other lane.
        [stage('types', () => met.promise), stage('build')],
        [stage('lint'), stage('imports', async () => met.resolve())],
      ],
    },
    stage('tests'),
  ];
  const { counts, lines, failures } = await runPlan(plan, going);
  expect(events.indexOf('imports begins')).toBeLessThan(events.indexOf('types ends'));
  expect(events.indexOf('build begins')).toBeGreaterThan(events.indexOf('types ends'));
  expect(events.indexOf('imports begins')).toBeGreaterThan(events.indexOf('lint ends'));
  expect(events.slice(-2)).toEqual(['tests begins', 'tests ends']);
  expect(labels(lines)).toEqual(['types', 'build', 'lint', 'imports', 'tests']);
  expect(counts).toEqual(Array(5).fill({ passed: 1, failed: 0, failures: [] }));
  expect(failures).toEqual([]);
});

test('a lane can have parallel stages of its own, and its next stage waits for them', async () => {
  const events: string[] = [];
  const stage = (label: string) => stageOf(label, async () => void events.push(label));
  const other = Promise.withResolvers<void>();
  const packages: Plan = [
    { sideBySide: [[stage('client')], [stageOf('node', () => other.promise)]] },
    stage('stops'),
  ];
  const flows = stageOf('flows', async () => {
    events.push('flows');
    other.resolve();
  });
  const { lines } = await runPlan([{ sideBySide: [packages, [flows]] }], going);
  expect(events).toEqual(['client', 'flows', 'stops']);
  expect(labels(lines)).toEqual(['client', 'node', 'stops', 'flows']);
});

test('a failed stage shows its error, is counted, and stops no other', async () => {
  const broken = (label: string) => stageOf(label, () => Promise.reject(new Error(`${label} is wrong`)));
  const fine = stageOf('fine', async () => {});
  const { counts, lines } = await runPlan(
    [broken('alone'), { sideBySide: [[broken('lane'), fine], [fine]] }],
    going,
  );
  expect(counts.map(({ failed }) => failed)).toEqual([1, 1, 0, 0]);
  expect(lines[1]).toContain('1 FAILED');
  for (const label of ['alone', 'lane']) expect(written.join('\n')).toContain(`${label} is wrong`);
});

test('a failed stage shows the load of the machine, a passed one does not', async () => {
  const failed = { label: 'units', run: async () => ({ passed: 1, failed: 1, failures: ['a.test.ts'] }) };
  await runPlan([stageOf('fine', async () => {})], going);
  expect(written.join('\n')).not.toContain('Load of the machine');
  await runPlan([failed], going);
  expect(written.at(-1)).toMatch(
    /^units failed\. Load of the machine: [\d.]+, [\d.]+ and [\d.]+ in the last 1, 5 and 15 minutes, on \d+ cores\.$/,
  );
  expect(describeLoad([19.26, 7, 0.5], 2)).toBe(
    'Load of the machine: 19.3, 7.0 and 0.5 in the last 1, 5 and 15 minutes, on 2 cores.',
  );
});

test('failures are listed under their stage in the order of the plan, and a stage without names by its label', async () => {
  const stage = (label: string, failed: number, ...failures: string[]) => ({
    label,
    run: async () => ({ passed: 1, failed, failures }),
  });
  const { failures } = await runPlan(
    [
      { sideBySide: [[stage('types', 1)], [stage('lint', 0)]] },
      stage('units', 2, 'a.test.ts > adds', 'b.test.ts'),
      stage('flows', 2, 'c.spec.ts > sends'),
    ],
    going,
  );
  expect(failures).toEqual([
    'types',
    'units: a.test.ts > adds',
    'units: b.test.ts',
    'flows: c.spec.ts > sends',
    'flows',
  ]);
});

test('no stage starts after the run should stop', async () => {
  const stop = new AbortController();
  const never = vi.fn(async () => {});
  const first = stageOf('first', async () => stop.abort());
  const { lines } = await runPlan(
    [{ sideBySide: [[first, stageOf('second', never)]] }, stageOf('third', never)],
    stop.signal,
  );
  expect(labels(lines)).toEqual(['first']);
  expect(never).not.toHaveBeenCalled();
});
