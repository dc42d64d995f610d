import { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client';
import { z } from 'zod';

/** An error at an OAuth endpoint. `status` is null when there was no response. */
export type OAuthProblem = { status: number | null; code: string | null; message: string };

const MESSAGE_MAX_LENGTH = 300;
const errorBody = z.object({
  error: z.string().optional(),
  error_description: z.string().optional(),
  message: z.string().optional(),
});

/** Converts an error of the OAuth client to a status, an error code and a message for the page. */
export async function explainOAuthError(error: unknown): Promise<OAuthProblem> {
  if (error instanceof AuthorizationResponseError) {
    return { status: null, code: error.error, message: shorten(error.error_description ?? error.error) };
  }
  if (error instanceof ResponseBodyError) {
    return {
      status: error.status,
      code: error.error,
      message: shorten(error.error_description ?? error.error),
    };
  }
  if (error instanceof WWWAuthenticateChallengeError) return explainResponse(error.response);
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Response) return explainResponse(cause);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code !== 'string') return unanswered('The service could not be reached.');
  return unanswered(
    code === 'OAUTH_TIMEOUT'
      ? 'The service did not respond in time.'
      : 'The response was not a valid OAuth response.',
  );
}

function unanswered(message: string): OAuthProblem {
  return { status: null, code: null, message };
}

/** Parses a response that the OAuth client could not: a 429 or 503 has `message` instead of `error`. */
async function explainResponse(response: Response): Promise<OAuthProblem> {
  const body = response.bodyUsed ? null : await response.json().catch(() => null);
  const { error, error_description, message } = errorBody.safeParse(body).data ?? {};
  const sentence = error_description ?? message ?? error ?? `Status ${response.status}.`;
  return { status: response.status, code: error ?? null, message: shorten(sentence) };
}

function shorten(text: string): string {
  return text.length > MESSAGE_MAX_LENGTH ? `${text.slice(0, MESSAGE_MAX_LENGTH)}…` : text;
}
