import type { ServerResponse } from 'node:http';
import { isPicture } from '#server/attachments/content-types.ts';
import { requestId } from '#server/http/send-json.ts';

/** A file with its bytes. */
export type StoredAttachment = { name: string; contentType: string; content: Uint8Array };

/**
 * Sends a file that a stranger has written: pictures may be shown, everything else is only ever saved, and whatever a
 * browser makes of it, it can run nothing, load nothing, and is not of our origin (CSP `sandbox`).
 * @param withBody false for HEAD
 */
export function sendAttachment(
  res: ServerResponse,
  { name, contentType, content }: StoredAttachment,
  withBody = true,
): void {
  requestId(res);
  res.writeHead(200, {
    'Content-Type': contentType,
    'Content-Length': content.byteLength,
    'Content-Disposition': contentDisposition(isPicture(contentType) ? 'inline' : 'attachment', name),
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'private, max-age=300',
  });
  res.end(withBody ? content : undefined);
}

/** RFC 6266: the name once in plain letters, once as it is. */
function contentDisposition(how: 'inline' | 'attachment', name: string): string {
  const plain = name.replaceAll(/[^\w .()-]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${how}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
