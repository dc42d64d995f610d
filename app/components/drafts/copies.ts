import { splitAddresses } from '#app/components/drafts/split-addresses.ts';

/** Complete addresses of one kind, and the text still being typed. */
export type CopyList = { addresses: string[]; typed: string };

/** Recipients of copies. `shown`: visible fields. Bcc is rare and appears on demand. */
export type Copies = { shown: 'none' | 'cc' | 'all'; cc: CopyList; bcc: CopyList };

/**
 * Changed copies and the suggestion at that time. `suggested` is null after a manual change, which no suggestion
 * overrides.
 */
export type ChangedCopies = { copies: Copies; suggested: string | null };

/** Returns the suggested recipients until the user changes them, and those of the last message until a new suggestion. */
export function currentCopies(changed: ChangedCopies | null, suggestedCc: readonly string[]): Copies {
  const isCurrent =
    changed !== null && (changed.suggested === null || changed.suggested === suggestedCc.join());
  return isCurrent ? changed.copies : withCc(suggestedCc);
}

/** Returns all recipients, including typed ones. */
export function recipientsOf({ cc, bcc }: Copies): { cc: string[]; bcc: string[] } {
  return { cc: allAddresses(cc), bcc: allAddresses(bcc) };
}

/** Returns the copies of the message after one to these recipients: the same Cc, and no Bcc. */
export function copiesAfter(cc: readonly string[], suggestedCc: readonly string[]): ChangedCopies {
  return { copies: withCc(cc), suggested: suggestedCc.join() };
}

/** Restores recipients beside those the user has added since. */
export function restoreCopies(
  since: ChangedCopies | null,
  { cc, bcc }: { cc: readonly string[]; bcc: readonly string[] },
): ChangedCopies {
  const added = since?.suggested === null ? since.copies : withCc([]);
  const whole = {
    cc: { ...added.cc, addresses: unique([...cc, ...added.cc.addresses]) },
    bcc: { ...added.bcc, addresses: unique([...bcc, ...added.bcc.addresses]) },
  };
  const isAll = bcc.length > 0 || added.shown === 'all';
  const shown = isAll ? 'all' : withCc(whole.cc.addresses).shown;
  return { copies: { ...whole, shown }, suggested: null };
}

/** Returns the complete addresses and the typed ones. */
export function allAddresses({ addresses, typed }: CopyList): string[] {
  return unique([...addresses, ...splitAddresses(typed)]);
}

function withCc(addresses: readonly string[]): Copies {
  return {
    shown: addresses.length > 0 ? 'cc' : 'none',
    cc: { addresses: [...addresses], typed: '' },
    bcc: { addresses: [], typed: '' },
  };
}

function unique(addresses: string[]): string[] {
  return [...new Set(addresses)];
}
