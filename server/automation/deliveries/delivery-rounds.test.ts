import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { type AttemptResult, resultOfResponse } from '#server/automation/deliveries/attempt-result.ts';
import type { DueDelivery, DueHook } from '#server/automation/deliveries/hook-queue.ts';
import { type End, isDrained, type Statement } from '#server/automation/deliveries/worker-state.ts';
import { makeDeliveryModel } from '#test/fixtures/delivery-model.ts';
import { madeAttempt, makeWorker, TIMED_OUT } from '#test/fixtures/delivery-worker.ts';
import { setTestSettings } from '#test/servers/settings.ts';

beforeEach(() => setTestSettings());

const HOOKS = ['a', 'b', 'c', 'd', 'e'];

/** `n` chooses the hook, statement or attempt. */
const steps = fc.array(
  fc.record({
    kind: fc.oneof(
      { weight: 6, arbitrary: fc.constant('event' as const) },
      { weight: 10, arbitrary: fc.constant('statement' as const) },
      { weight: 10, arbitrary: fc.constant('attempt' as const) },
      { weight: 2, arbitrary: fc.constantFrom('tick' as const, 'wait' as const) },
      { weight: 1, arbitrary: fc.constantFrom('lost response' as const, 'failure' as const) },
      { weight: 1, arbitrary: fc.constantFrom('lease' as const, 'uncertain' as const, 'removed' as const) },
    ),
    n: fc.nat(1_000),
    ms: fc.nat(300),
  }),
  { minLength: 50, maxLength: 400 },
);

test('whatever happens, at most ten attempts of a hook are in flight, all of claimed hooks, and none is lost', () => {
  let starts = 0;
  fc.assert(
    fc.property(steps, (all) => {
      const simulated = simulate();
      for (const step of all) simulated.take(step);
      simulated.finish();
      starts += simulated.starts();
    }),
    { numRuns: 100 },
  );
  expect(starts).toBeGreaterThan(1_000);
});

type Step = { kind: string; n: number; ms: number };
type Attempt = { found: DueHook; delivery: DueDelivery };

/** A worker whose statements run on a model of the database, in any order. */
function simulate() {
  const model = makeDeliveryModel(HOOKS);
  const worker = makeWorker({ fast: 24, slow: 6 });
  const running: (Statement | End)[] = [];
  const open: Attempt[] = [];
  let leases = 0;
  let starts = 0;
  hold();

  function hold(): void {
    leases += 1;
    model.hold(`lease ${leases}`);
    worker.update({ kind: 'leased', leaseId: `lease ${leases}` });
  }

  function round(): void {
    const { statements, starts: started } = worker.round();
    running.push(...statements);
    for (const { hookId, found, deliveries } of started) {
      for (const delivery of deliveries) {
        must(model.isServed(hookId, `lease ${leases}`), 'the hook of an attempt is claimed');
        must(
          open.every((each) => each.delivery.eventId !== delivery.eventId),
          'a delivery is not sent twice at the same time',
        );
        open.push({ found, delivery });
        starts += 1;
      }
    }
    check();
  }

  function check(): void {
    const used = { fast: 0, slow: 0 };
    for (const { hookId, inFlight, sending, slow } of worker.state.hooks.values()) {
      const sent = open.filter(({ found }) => found.hookId === hookId);
      must(
        sent.length === sending && sent.every(({ delivery }) => inFlight.get(delivery.eventId) === 'sending'),
        'the attempts being sent are those of the state',
      );
      must(sending <= 10, 'a hook has at most ten attempts in flight');
      must(inFlight.size <= 30, 'a hook has at most 20 unrecorded attempts beyond those in flight');
      used[slow ? 'slow' : 'fast'] += sending;
    }
    const { fast, slow } = worker.state.sending;
    must(fast === used.fast && slow === used.slow, 'the room in use is that of the attempts being sent');
    const kinds = running.map(({ kind }) => (kind === 'claim' ? 'fanOut' : kind));
    const single = kinds.filter((kind) => kind !== 'end');
    must(new Set(single).size === single.length, 'one statement of a kind runs at a time');
  }

  function endStatement(n: number, outcome: 'result' | 'lost response' | 'failure'): void {
    const [statement] = running.splice(n % Math.max(1, running.length), 1);
    if (!statement) return;
    const result = outcome === 'failure' ? undefined : model.run(statement, worker.now);
    worker.update(outcome === 'result' && result ? result : model.fail(statement));
  }

  function endAttempt(n: number, result: AttemptResult | null): void {
    const [attempt] = open.splice(n % Math.max(1, open.length), 1);
    if (!attempt) return;
    const { found, delivery } = attempt;
    const next = result && model.next(delivery.attempts + 1, result);
    const made = result && next && madeAttempt(found, delivery, result, next);
    worker.update({ kind: 'sent', hook: found, eventId: delivery.eventId, attempt: made });
  }

  return {
    starts: () => starts,
    take({ kind, n, ms }: Step): void {
      worker.now += ms / 10;
      if (kind === 'event') {
        for (let count = n % 12; count >= 0; count -= 1) model.addEvent(HOOKS[n % HOOKS.length] ?? '');
        worker.update({ kind: 'eventsQueued' });
      } else if (kind === 'statement') endStatement(n, 'result');
      else if (kind === 'lost response' || kind === 'failure') endStatement(n, kind);
      else if (kind === 'attempt') endAttempt(n, RESULTS[n % RESULTS.length] ?? null);
      else if (kind === 'tick') worker.update({ kind: 'tick', polls: n % 2 === 0 });
      else if (kind === 'wait') worker.now += 10 * ms;
      else if (kind === 'uncertain') worker.mayStart = !worker.mayStart;
      else if (kind === 'removed') {
        if (n % 4 === 0) model.removeHook(HOOKS[n % HOOKS.length] ?? '');
      } else {
        worker.update({ kind: 'leaseLost' });
        hold();
      }
      // Several updates may share a round.
      if (n % 3 > 0) round();
    },
    /** Lets everything succeed. Then all must end, within two minutes of the worker's clock. */
    finish(): void {
      worker.mayStart = true;
      for (let ticks = 1; ticks < 500; ticks += 1) {
        worker.now += 250;
        worker.update({ kind: 'tick', polls: ticks % 4 === 0 });
        round();
        for (let n = 0; n < 60 && running.length + open.length > 0; n += 1) {
          endStatement(0, 'result');
          endAttempt(0, RESULTS[0] ?? null);
          round();
        }
        const { events, deliveries, hooks } = model.unfinished();
        if (events + deliveries + hooks === 0 && isDrained(worker.state)) return;
      }
      expect(model.unfinished()).toEqual({ events: 0, deliveries: 0, hooks: 0 });
      expect(isDrained(worker.state)).toBe(true);
    },
  };
}

function must(isTrue: boolean, rule: string): void {
  if (!isTrue) throw new Error(`Violated: ${rule}.`);
}

const answered = (statusCode: number) => resultOfResponse({ statusCode, excerpt: '', retryAfter: null });
const RESULTS: (AttemptResult | null)[] = [
  answered(200),
  answered(200),
  answered(200),
  answered(500),
  answered(429),
  answered(404),
  TIMED_OUT,
  null,
];
