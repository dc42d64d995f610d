import { z } from 'zod';
import type { Reply } from '../../http/reply.ts';
import type { Providers } from '../providers.ts';

export type Call = {
  providers: Providers;
  params: Record<string, string>;
  query: URLSearchParams;
  body: unknown;
};
export type Route = { method: string; path: string; handle: (call: Call) => Promise<Reply> | Reply };

const unclear = (error: z.ZodError): Reply => ({ status: 422, body: { message: z.prettifyError(error) } });

/** Calls `handle` with the parsed body, or responds with the validation errors. */
export function withBody<T>(
  schema: z.ZodType<T>,
  handle: (call: Call, body: T) => Promise<Reply> | Reply,
): Route['handle'] {
  return (call) => {
    const parsed = schema.safeParse(call.body ?? {});
    return parsed.success ? handle(call, parsed.data) : unclear(parsed.error);
  };
}

export const file = z.object({
  name: z.string(),
  type: z.string().default('application/octet-stream'),
  base64: z.string(),
});

export const decode = (files: z.infer<typeof file>[]) =>
  files.map(({ name, type, base64 }) => ({ name, type, content: Buffer.from(base64, 'base64') }));
