import { z } from 'zod';
import { settings } from '#server/core/env.ts';
import { askProvider, fetchFromProvider, jsonOf, ProviderFault } from '#server/core/provider-request.ts';

/** Bots download files of 20 MB at most (Bot API, getFile). */
const TELEGRAM_DOWNLOAD_MAX_BYTES = 20 * 1024 * 1024;

/** A token as BotFather gives it. Nothing else is ever part of an address. */
export const BOT_TOKEN = /^\d{1,20}:[\w-]{1,100}$/;

/** A response of the Bot API: `ok` with what was asked for, or an error code and a description. */
export type TelegramResult =
  | { ok: true; result: unknown }
  | { ok: false; code: number; description: string; retryAfterSeconds: number | null };

const responseShape = z.union([
  z.object({ ok: z.literal(true), result: z.unknown() }),
  z.object({
    ok: z.literal(false),
    error_code: z.number(),
    description: z.string().catch(''),
    parameters: z.object({ retry_after: z.number().optional() }).catch({}).default({}),
  }),
]);

/**
 * Calls a method of the Bot API (core.telegram.org/bots/api, making requests).
 * @param parameters JSON, or a form where a file goes with it
 * @throws ProviderFault when it cannot be reached, or answers with something else
 */
export async function callTelegram(
  token: string,
  method: string,
  parameters: Record<string, unknown> | FormData = {},
  signal?: AbortSignal,
): Promise<TelegramResult> {
  const isForm = parameters instanceof FormData;
  const response = await askProvider({
    url: `${apiUrl()}/bot${checked(token)}/${method}`,
    method: 'POST',
    ...(isForm ? {} : { headers: { 'content-type': 'application/json' } }),
    body: isForm ? parameters : JSON.stringify(parameters),
    signal,
  });
  const parsed = responseShape.safeParse(jsonOf(response));
  if (!parsed.success)
    throw new ProviderFault('unreachable', `Telegram answered ${response.status} without a result.`);
  if (parsed.data.ok) return { ok: true, result: parsed.data.result };
  const { error_code: code, description, parameters: more } = parsed.data;
  return { ok: false, code, description, retryAfterSeconds: more.retry_after ?? null };
}

const fileShape = z.object({ file_path: z.string(), file_size: z.number().optional() });
/** Of letters that need no encoding, and no way up. */
const FILE_PATH = /^(?!.*\.\.)[\w][\w./-]{0,300}$/;

/**
 * Opens a file that a contact sent.
 * @throws ProviderFault when it is too large or not there any more
 */
export async function openTelegramFile(token: string, fileId: string): Promise<AsyncIterable<Uint8Array>> {
  const response = await callTelegram(token, 'getFile', { file_id: fileId });
  const file = response.ok ? fileShape.safeParse(response.result).data : undefined;
  if (!file || !FILE_PATH.test(file.file_path)) {
    throw new ProviderFault('refused', 'Telegram does not give the file.');
  }
  const url = `${apiUrl()}/file/bot${checked(token)}/${file.file_path}`;
  const { source } = await fetchFromProvider({ url, maxBytes: TELEGRAM_DOWNLOAD_MAX_BYTES });
  return source;
}

function apiUrl(): string {
  return settings().TELEGRAM_API_URL.replace(/\/$/, '');
}

function checked(token: string): string {
  if (BOT_TOKEN.test(token)) return token;
  throw new Error('A bot token of Telegram has another form.');
}
