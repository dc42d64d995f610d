import { numericId } from './make-ids.ts';
import type { Providers } from './providers.ts';
import { type Account, keyOf, type SentFile, type StoredFile } from './state.ts';

const FILES_MAX = 500;

/** Stores a file of an account, and drops the oldest beyond `FILES_MAX`. */
export function storeFile(
  { state }: Providers,
  account: Account,
  file: { name: string; type: string; content: Buffer },
  id = numericId(16),
): SentFile {
  const stored: StoredFile = {
    id,
    name: file.name || 'file',
    type: file.type,
    size: file.content.length,
    content: file.content,
    account: keyOf(account),
  };
  state.files.set(stored.id, stored);
  for (const oldest of state.files.keys()) {
    if (state.files.size <= FILES_MAX) break;
    state.files.delete(oldest);
  }
  return { id: stored.id, name: stored.name, type: stored.type, size: stored.size };
}
