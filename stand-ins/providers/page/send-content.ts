import type { ServerResponse } from 'node:http';
import type { Mail } from '../mail/mail-state.ts';
import type { Providers } from '../providers.ts';

const PICTURE = /^image\/(png|jpeg|gif|webp)$/;

/**
 * Sends files of chats and contents of mails; returns false when there is none. Untrusted content never runs: pictures
 * are shown, HTML mails are sandboxed, and all other files are downloaded.
 */
export function sendContent({ state }: Providers, res: ServerResponse, path: string): boolean {
  const [, first, id = '', what = '', index = ''] = path.split('/');
  if (first === 'files') {
    const file = state.files.get(id);
    if (file) sendFile(res, file.type, file.name, file.content);
    return file !== undefined;
  }
  const mail = first === 'mail' ? state.mail.mails.find((each) => each.id === id) : undefined;
  return mail !== undefined && sendPart(res, mail, what, Number(index));
}

function sendPart(res: ServerResponse, { email, raw }: Mail, what: string, index: number): boolean {
  if (what === 'raw') {
    res.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8' }).end(raw);
    return true;
  }
  if (what === 'html') {
    res.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'self'",
    });
    res.end(email.html ?? '');
    return true;
  }
  const file = what === 'files' ? email.attachments[index] : undefined;
  if (!file) return false;
  const content =
    typeof file.content === 'string' ? Buffer.from(file.content) : Buffer.from(new Uint8Array(file.content));
  sendFile(res, file.mimeType, file.filename ?? 'file', content);
  return true;
}

function sendFile(res: ServerResponse, type: string, name: string, content: Buffer): void {
  const disposition = PICTURE.test(type) ? 'inline' : 'attachment';
  res.writeHead(200, {
    'Content-Type': /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : 'application/octet-stream',
    'Content-Disposition': `${disposition}; filename*=UTF-8''${encodeURIComponent(name)}`,
  });
  res.end(content);
}
