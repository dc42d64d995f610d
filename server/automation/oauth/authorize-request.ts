import { z } from 'zod';
import { singleParameters } from '#server/automation/oauth/single-parameters.ts';
import { lengthOf } from '#server/contract/fields.ts';
import { settings } from '#server/core/env.ts';
import { sameSecret } from '#server/core/secrets.ts';
import { ChallengeMethod } from '#server/generated/prisma/enums.ts';

/** Limits of `state` and `code_challenge` (docs/spec.md §4.1 and §8; RFC 7636 §4.2). */
const STATE_MAX_LENGTH = 500;
export const PKCE_VALUE = /^[A-Za-z0-9\-._~]{43,128}$/;

/** A request to show to the teammate: client and redirect address are the platform's. */
export type AuthorizeRequest = {
  state: string | undefined;
  challenge: { value: string; method: ChallengeMethod } | undefined;
};

/** Errors returned to the platform (the part of RFC 6749 §4.1.2.1 in docs/spec.md §4.1). */
export type AuthorizeError = 'unsupported_response_type' | 'invalid_request' | 'access_denied';

type ParsedRequest =
  // Not the platform: show an error page, never redirect.
  | { kind: 'unknown_client' }
  // The platform sent an invalid request: redirect to its fixed address, without an invalid `state`.
  | { kind: 'refused'; error: AuthorizeError; state: string | undefined }
  | { kind: 'valid'; request: AuthorizeRequest };

/**
 * Validates the parameters of an authorize request in the order of docs/spec.md §4.1. The client comes first,
 * as nothing may be sent to an address that is not known to be the platform's.
 */
export function parseAuthorizeRequest(parameters: URLSearchParams): ParsedRequest {
  const { values, repeated } = singleParameters(parameters);
  const { PLATFORM_CLIENT_ID, PLATFORM_RETURN_URL } = settings();
  const isPlatform =
    !repeated.has('client_id') &&
    !repeated.has('redirect_uri') &&
    sameSecret(values.get('client_id') ?? '', PLATFORM_CLIENT_ID) &&
    values.get('redirect_uri') === PLATFORM_RETURN_URL;
  if (!isPlatform) return { kind: 'unknown_client' };

  const state = values.get('state');
  const stateIsAtFault = repeated.has('state') || lengthOf(state ?? '') > STATE_MAX_LENGTH;
  const refused = (error: AuthorizeError): ParsedRequest => ({
    kind: 'refused',
    error,
    state: stateIsAtFault ? undefined : state,
  });

  if (repeated.size > 0 || stateIsAtFault) return refused('invalid_request');
  if (values.get('response_type') !== 'code') return refused('unsupported_response_type');
  const method = z.enum(ChallengeMethod).safeParse(values.get('code_challenge_method') ?? 'plain');
  if (!method.success) return refused('invalid_request');
  const challenge = values.get('code_challenge');
  if (challenge !== undefined && !PKCE_VALUE.test(challenge)) return refused('invalid_request');
  return {
    kind: 'valid',
    request: {
      state,
      challenge: challenge === undefined ? undefined : { value: challenge, method: method.data },
    },
  };
}
