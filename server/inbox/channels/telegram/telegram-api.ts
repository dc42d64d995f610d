import { z } from 'zod';
import { settings } from '#server/core/env.ts';
import {
  faultWithoutResult,
  fetchFromProvider,
  isTemporaryStatus,
  jsonOf,
  ProviderFault,
  requestProvider,
} from '#server/core/provider-request.ts';

/** Maximum size of a file that bots can download (Bot API, getFile). */
const TELEGRAM_DOWNLOAD_MAX_BYTES = 20 * 1024 * 1024;

/** A bot token from BotFather. Nothing else may become part of a URL. */
export const BOT_TOKEN = /^\d{1,20}:[\w-]{1,100}$/;

/** The requested object, or an error code with a description. */
export type TelegramResult =
  | { ok: true; result: unknown }
  | { ok: false; code: number; description: string; retryAfterSeconds: number | null };

const responseShape = z.union([
  z.object({ ok: z.literal(true), result: z.unknown().optional() }),
  z.object({
    ok: z.literal(false),
    error_code: z.number(),
    description: z.string().catch(''),
    parameters: z.object({ retry_after: z.number().optional() }).catch({}).default({}),
  }),
]);

/**
 * Calls a method of the Bot API (core.telegram.org/bots/api, making requests).
 * @param parameters JSON, or a form for file uploads
 * @throws ProviderFault when Telegram is unreachable, or responds with neither a result nor an error
 */
export async function callTelegram(
  token: string,
  method: string,
  parameters: Record<string, unknown> | FormData = {},
  signal?: AbortSignal,
): Promise<TelegramResult> {
  const isForm = parameters instanceof FormData;
  const response = await requestProvider({
    url: `${apiUrl()}/bot${checked(token)}/${method}`,
    method: 'POST',
    ...(isForm ? {} : { headers: { 'content-type': 'application/json' } }),
    body: isForm ? parameters : JSON.stringify(parameters),
    signal,
  });
  const parsed = responseShape.safeParse(jsonOf(response));
  if (!parsed.success) throw faultWithoutResult('Telegram', response.status);
  if (parsed.data.ok) return { ok: true, result: parsed.data.result };
  const { error_code: code, description, parameters: more } = parsed.data;
  return { ok: false, code, description, retryAfterSeconds: more.retry_after ?? null };
}

const fileShape = z.object({ file_path: z.string(), file_size: z.number().optional() });
/** Maximum length of the path of a file, in UTF-16 units. A path may end with the sender's name for the file. */
const FILE_PATH_MAX_LENGTH = 1_000;

/**
 * Opens a file that a contact sent.
 * @throws ProviderFault when the file is too large or no longer available
 */
export async function openTelegramFile(token: string, fileId: string): Promise<AsyncIterable<Uint8Array>> {
  const response = await callTelegram(token, 'getFile', { file_id: fileId });
  if (!response.ok && isTemporaryStatus(response.code)) {
    throw new ProviderFault('unreachable', `Telegram answered ${response.code} for a file.`);
  }
  const file = response.ok ? fileShape.safeParse(response.result).data : undefined;
  const path = file && encodePath(file.file_path);
  if (!path) throw new ProviderFault('refused', 'Telegram returned no file.');
  const url = `${apiUrl()}/file/bot${checked(token)}/${path}`;
  const { source } = await fetchFromProvider({ url, maxBytes: TELEGRAM_DOWNLOAD_MAX_BYTES });
  return source;
}

/** Encodes the segments of a path. Returns undefined for a path that leaves its folder. */
function encodePath(path: string): string | undefined {
  const segments = path.split('/');
  const isSafe = segments.every((each) => each !== '' && each !== '.' && each !== '..');
  if (!isSafe || path.length > FILE_PATH_MAX_LENGTH || !path.isWellFormed()) return undefined;
  return segments.map(encodeURIComponent).join('/');
}

function apiUrl(): string {
  return settings().TELEGRAM_API_URL.replace(/\/$/, '');
}

function checked(token: string): string {
  if (BOT_TOKEN.test(token)) return token;
  throw new Error('Invalid Telegram bot token.');
}
