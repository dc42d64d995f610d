import { describe, expect, test } from 'vitest';
import {
  isErrorStatus,
  planNextAttempt,
  resultOfResponse,
} from '#server/automation/deliveries/attempt-result.ts';

const response = (statusCode: number) => ({ statusCode, excerpt: 'ok', retryAfter: '5' });

describe('a response of the receiver', () => {
  test.each([
    [200, 'delivered'],
    [204, 'delivered'],
    [299, 'delivered'],
    [300, 'redirected'],
    [302, 'redirected'],
    [399, 'redirected'],
    [400, 'rejected'],
    [404, 'rejected'],
    [409, 'rejected'],
    [410, 'gone'],
    [411, 'rejected'],
    [428, 'rejected'],
    [429, 'throttled'],
    [430, 'rejected'],
    [499, 'rejected'],
    [500, 'failed'],
    [599, 'failed'],
    [600, 'failed'],
  ])('with status %i is named %s and kept whole', (statusCode, kind) => {
    expect(resultOfResponse(response(statusCode))).toEqual({ kind, response: response(statusCode) });
  });
});

describe('what counts as an error of the receiver', () => {
  test.each([302, 400, 404, 410, 429, 500, 503])('status %i does', (statusCode) => {
    expect(isErrorStatus(resultOfResponse(response(statusCode)))).toBe(true);
  });

  test.each([200, 204])('status %i does not', (statusCode) => {
    expect(isErrorStatus(resultOfResponse(response(statusCode)))).toBe(false);
  });

  test.each(['timed_out', 'unreachable'] as const)('an attempt that %s does not: no one answered', (kind) => {
    expect(isErrorStatus({ kind, error: 'nothing came' })).toBe(false);
  });
});

const DELAYS = [30, 120, 600, 1800];
const answered = (statusCode: number) => resultOfResponse({ statusCode, excerpt: '', retryAfter: null });

describe('after an attempt', () => {
  test.each([1, 2, 5])('%i that was received, the delivery is delivered', (attempt) => {
    const end = { kind: 'end', outcome: 'delivered', removesHook: false };
    expect(planNextAttempt(answered(200), attempt, DELAYS)).toEqual(end);
  });

  test.each([400, 401, 404, 408, 422, 499])(
    'answered %i, the event is dropped and the hook stays',
    (status) => {
      const end = { kind: 'end', outcome: 'dropped', removesHook: false };
      expect(planNextAttempt(answered(status), 1, DELAYS)).toEqual(end);
    },
  );

  test.each([1, 5])('%i answered 410, the event is dropped and the hook is removed', (attempt) => {
    const end = { kind: 'end', outcome: 'dropped', removesHook: true };
    expect(planNextAttempt(answered(410), attempt, DELAYS)).toEqual(end);
  });

  const retried = [
    ...[300, 302, 308, 429, 500, 503, 599].map((status) => ({ name: `${status}`, result: answered(status) })),
    { name: 'a timeout', result: { kind: 'timed_out' as const, error: 'No response.' } },
    { name: 'a network error', result: { kind: 'unreachable' as const, error: 'ECONNRESET' } },
  ];
  test.each(retried)('that met $name, it is tried again after each delay and then given up', ({ result }) => {
    expect([1, 2, 3, 4].map((attempt) => planNextAttempt(result, attempt, DELAYS))).toEqual(
      DELAYS.map((delaySeconds) => ({ kind: 'retry', delaySeconds })),
    );
    const end = { kind: 'end', outcome: 'exhausted', removesHook: false };
    expect(planNextAttempt(result, 5, DELAYS)).toEqual(end);
  });

  test('a delay of nothing is a retry at once, not the end', () => {
    expect(planNextAttempt(answered(500), 1, [0, 0, 0, 0])).toEqual({ kind: 'retry', delaySeconds: 0 });
  });
});
