import { MESSAGE_ID_MAX_LENGTH, REFERENCES_MAX } from '#server/inbox/mail-parser/mail-limits.ts';

/** How much of a header with ids is looked at, in UTF-16 units. */
const HEADER_MAX_LENGTH = 100_000;

/**
 * The Message-IDs of a header, with their brackets (RFC 5322 §3.6.4), each once. Of very many the first and the newest,
 * which come last, are kept, as mail programs do.
 */
export function parseMessageIds(header: string | undefined): string[] {
  const text = (header ?? '').slice(-HEADER_MAX_LENGTH);
  const ids = new Set<string>();
  for (let start = text.indexOf('<'); start !== -1; start = text.indexOf('<', start + 1)) {
    const end = text.indexOf('>', start);
    if (end === -1) break;
    const id = text.slice(start, end + 1);
    if (isMessageId(id)) ids.add(id);
    start = end;
  }
  const all = [...ids];
  return all.length > REFERENCES_MAX ? [...all.slice(0, 1), ...all.slice(1 - REFERENCES_MAX)] : all;
}

/** The one Message-ID of a mail; null when it has none that can be kept. */
export function parseMessageId(header: string | undefined): string | null {
  return parseMessageIds(header)[0] ?? null;
}

function isMessageId(id: string): boolean {
  return id.length > 2 && id.length <= MESSAGE_ID_MAX_LENGTH && !/[\s\0]/.test(id) && id.isWellFormed();
}
