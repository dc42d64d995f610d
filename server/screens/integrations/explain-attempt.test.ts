import { describe, expect, test } from 'vitest';
import type { AttemptOutcome } from '#server/generated/prisma/enums.ts';
import {
  explainAttempt,
  findCertificateProblem,
  type LoggedAttempt,
} from '#server/screens/integrations/explain-attempt.ts';

const explain = (outcome: AttemptOutcome, fields: Partial<LoggedAttempt> = {}) =>
  explainAttempt({ outcome, statusCode: null, error: null, retryAfter: null, ...fields }, 'Zippy');

describe('explains a response, with its status', () => {
  test.each<[AttemptOutcome, number, string]>([
    ['delivered', 202, 'Zippy accepted the event (202).'],
    ['rejected', 404, 'Zippy refused the event (404) because it has no workflow at this address.'],
    ['rejected', 418, 'Zippy refused the event (418).'],
    ['gone', 410, 'Zippy reported that this workflow is gone (410).'],
    ['failed', 503, 'Zippy had an internal error (503).'],
    ['redirected', 302, 'Zippy redirected to another address (302). Redirects are not followed.'],
    ['throttled', 429, 'Zippy asked us to slow down (429).'],
  ])('%s %i', (outcome, statusCode, words) => {
    expect(explain(outcome, { statusCode })).toBe(words);
  });

  test('mentions the requested pause of a 429', () => {
    expect(explain('throttled', { statusCode: 429, retryAfter: '120' })).toBe(
      'Zippy asked us to slow down (429) and to wait 120 seconds.',
    );
    expect(explain('throttled', { statusCode: 429, retryAfter: 'Sat, 21 Nov 2026 06:29:29 GMT' })).toBe(
      'Zippy asked us to slow down (429) and to wait.',
    );
  });
});

describe('distinguishes a certificate problem from an unreachable receiver', () => {
  test.each([
    ['CERT_HAS_EXPIRED: certificate has expired', 'expired'],
    ['CERT_NOT_YET_VALID: certificate is not yet valid', 'untrusted'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT: self-signed certificate', 'untrusted'],
    ['SELF_SIGNED_CERT_IN_CHAIN: self-signed certificate in certificate chain', 'untrusted'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE: unable to verify the first certificate', 'untrusted'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unable to get local issuer certificate', 'untrusted'],
    ['ERR_TLS_CERT_ALTNAME_INVALID: Hostname does not match', 'untrusted'],
    ['ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:443', null],
    ['EPROTO: write EPROTO', null],
    [null, null],
  ])('%s', (error, problem) => {
    expect(findCertificateProblem(error)).toBe(problem);
  });
});

describe('explains a missing response without technical terms', () => {
  test.each([
    [
      'getaddrinfo ENOTFOUND hooks.test',
      'ENOTFOUND',
      'The address of Zippy could not be found on the internet.',
    ],
    [
      'getaddrinfo EAI_AGAIN hooks.test',
      'EAI_AGAIN',
      'The address of Zippy could not be found on the internet.',
    ],
    ['connect ECONNREFUSED 127.0.0.1:443', 'ECONNREFUSED', 'Zippy refused the connection.'],
    ['other side closed', 'UND_ERR_SOCKET', 'Zippy closed the connection before it responded.'],
    ['read ECONNRESET', 'ECONNRESET', 'Zippy closed the connection before it responded.'],
    [
      'certificate has expired',
      'CERT_HAS_EXPIRED',
      'The certificate of Zippy has expired, so nothing was sent.',
    ],
    [
      'self-signed certificate',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'The certificate of Zippy could not be trusted, so nothing was sent.',
    ],
    [
      'Hostname does not match',
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'The certificate of Zippy could not be trusted, so nothing was sent.',
    ],
    [
      'unable to verify the first certificate',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'The certificate of Zippy could not be trusted, so nothing was sent.',
    ],
    ['write EPROTO', 'EPROTO', 'A secure connection to Zippy could not be established.'],
    [
      'wrong version number',
      'ERR_SSL_WRONG_VERSION_NUMBER',
      'A secure connection to Zippy could not be established.',
    ],
    ['connect EHOSTUNREACH', 'EHOSTUNREACH', 'Zippy could not be reached over the network.'],
    ['Parse Error', 'HPE_INVALID_CONSTANT', 'The response from Zippy could not be understood.'],
    ['an unknown error', 'ESOMETHING', 'Zippy could not be reached.'],
  ])('%s', (message, code, words) => {
    expect(explain('unreachable', { error: `${code}: ${message}` })).toBe(words);
  });

  test('explains an address that was not contacted', () => {
    expect(explain('unreachable', { error: 'The address is not on hooks.test and was not contacted.' })).toBe(
      'The address does not belong to Zippy, so nothing was sent.',
    );
  });

  test.each(['No response within 15 seconds.', 'No connection within 5 seconds.'])('%s', (error) => {
    expect(explain('timed_out', { error })).toBe(error);
  });
});
