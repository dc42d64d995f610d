import { describe, expect, test } from 'vitest';
import { isErrorStatus, resultOfResponse } from '#server/automation/deliveries/attempt-result.ts';

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
