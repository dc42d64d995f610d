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
  ])('with status %i is classified as %s and returned unchanged', (statusCode, kind) => {
    expect(resultOfResponse(response(statusCode))).toEqual({ kind, response: response(statusCode) });
  });
});

describe('an error status of the receiver', () => {
  test.each([302, 400, 404, 410, 429, 500, 503])('is %i', (statusCode) => {
    expect(isErrorStatus(resultOfResponse(response(statusCode)))).toBe(true);
  });

  test.each([200, 204])('is not %i', (statusCode) => {
    expect(isErrorStatus(resultOfResponse(response(statusCode)))).toBe(false);
  });

  test.each(['timed_out', 'unreachable'] as const)(
    'is not an attempt that %s, without a response',
    (kind) => {
      expect(isErrorStatus({ kind, error: 'nothing came' })).toBe(false);
    },
  );
});

const DELAYS = [30, 120, 600, 1800];
const answered = (statusCode: number) => resultOfResponse({ statusCode, excerpt: '', retryAfter: null });

describe('after an attempt', () => {
  test.each([1, 2, 5])('%i with a 2xx response, the delivery is delivered', (attempt) => {
    const end = { kind: 'end', outcome: 'delivered', removesHook: false };
    expect(planNextAttempt(answered(200), attempt, DELAYS)).toEqual(end);
  });

  test.each([400, 401, 404, 408, 422, 499])(
    'with a %i response, the event is dropped and the hook stays',
    (status) => {
      const end = { kind: 'end', outcome: 'dropped', removesHook: false };
      expect(planNextAttempt(answered(status), 1, DELAYS)).toEqual(end);
    },
  );

  test.each([1, 5])('%i with a 410 response, the event is dropped and the hook is removed', (attempt) => {
    const end = { kind: 'end', outcome: 'dropped', removesHook: true };
    expect(planNextAttempt(answered(410), attempt, DELAYS)).toEqual(end);
  });

  const retried = [
    ...[300, 302, 308, 429, 500, 503, 599].map((status) => ({ name: `${status}`, result: answered(status) })),
    { name: 'a timeout', result: { kind: 'timed_out' as const, error: 'No response.' } },
    { name: 'a network error', result: { kind: 'unreachable' as const, error: 'ECONNRESET' } },
  ];
  test.each(retried)(
    'with $name, the delivery is retried after each delay and then given up',
    ({ result }) => {
      expect([1, 2, 3, 4].map((attempt) => planNextAttempt(result, attempt, DELAYS))).toEqual(
        DELAYS.map((delaySeconds) => ({ kind: 'retry', delaySeconds })),
      );
      const end = { kind: 'end', outcome: 'exhausted', removesHook: false };
      expect(planNextAttempt(result, 5, DELAYS)).toEqual(end);
    },
  );

  test('with a delay of 0 seconds, the delivery is retried immediately', () => {
    expect(planNextAttempt(answered(500), 1, [0, 0, 0, 0])).toEqual({ kind: 'retry', delaySeconds: 0 });
  });
});
