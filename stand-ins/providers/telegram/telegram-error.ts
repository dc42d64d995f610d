import { type HttpResponse, json } from '../../http/http-response.ts';

/** The body of every error of the Bot API. @see https://core.telegram.org/bots/api#making-requests */
export function telegramError(code: number, description: string, parameters?: object): HttpResponse {
  return json({ ok: false, error_code: code, description, ...(parameters ? { parameters } : {}) }, code);
}

/** The body of every success. */
export const telegramOk = (result: unknown, description?: string): HttpResponse =>
  json({ ok: true, result, ...(description ? { description } : {}) });
