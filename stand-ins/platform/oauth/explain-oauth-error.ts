import { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client';
import { z } from 'zod';

/** What went wrong at an OAuth endpoint. `status` is null when there was no response at all. */
export type OAuthProblem = { status: number | null; code: string | null; message: string };

const LONGEST_MESSAGE = 300;
const errorBody = z.object({
  error: z.string().optional(),
  error_description: z.string().optional(),
  message: z.string().optional(),
});

/** Turns whatever the OAuth client threw into a status, an error code and a sentence that may be shown. */
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
      ? 'The service did not answer in time.'
      : 'The answer was not a valid OAuth answer.',
  );
}

function unanswered(message: string): OAuthProblem {
  return { status: null, code: null, message };
}

/** A response that the OAuth client could not read: a 429 or 503 carries `message` instead of `error`. */
async function explainResponse(response: Response): Promise<OAuthProblem> {
  const body = response.bodyUsed ? null : await response.json().catch(() => null);
  const { error, error_description, message } = errorBody.safeParse(body).data ?? {};
  const sentence = error_description ?? message ?? error ?? `It answered ${response.status}.`;
  return { status: response.status, code: error ?? null, message: shorten(sentence) };
}

function shorten(text: string): string {
  return text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE)}…` : text;
}
