'use client';

import { useState } from 'react';
import { splitAddresses } from '#app/components/composer/split-addresses.ts';

/** Who gets copies of one kind: addresses that are complete, and what is being typed beside them. */
export type CopyList = { addresses: string[]; typed: string };

/** Whose fields are shown: hidden copies are rare, so theirs comes when it is asked for. */
type Shown = 'none' | 'cc' | 'all';

type Copies = { shown: Shown; cc: CopyList; bcc: CopyList };

/** What was changed, and what was suggested then; null: a person changed it, and no suggestion takes its place. */
type Changed = { copies: Copies; suggested: string | null };

const NOBODY: CopyList = { addresses: [], typed: '' };

/**
 * Who gets a copy of the message that is being written: those suggested, until a person changes that. Those of the last
 * message stay until there is another suggestion.
 */
export function useCopies(suggestedCc: readonly string[]) {
  const [changed, setChanged] = useState<Changed | null>(null);
  const suggested = suggestedCc.join();
  const isCurrent = changed !== null && (changed.suggested === null || changed.suggested === suggested);
  const copies = isCurrent ? changed.copies : withCc(suggestedCc);
  const change = (next: Copies) => setChanged({ copies: next, suggested: null });

  return {
    copies,
    showAll: () => change({ ...copies, shown: 'all' }),
    changeList: (kind: 'cc' | 'bcc', list: CopyList) => change({ ...copies, [kind]: list }),
    /** All who get a copy, also those who are only typed; the next message begins with the open ones. */
    take: () => {
      const [cc, bcc] = [everyoneIn(copies.cc), everyoneIn(copies.bcc)];
      setChanged({ copies: withCc(cc), suggested });
      return { cc, bcc };
    },
    /** Puts back who was taken, beside those whom a person added since. */
    restore: ({ cc, bcc }: { cc: string[]; bcc: string[] }) => {
      setChanged((since) => {
        const added = since?.suggested === null ? since.copies : withCc([]);
        const whole = {
          cc: { ...added.cc, addresses: unique([...cc, ...added.cc.addresses]) },
          bcc: { ...added.bcc, addresses: unique([...bcc, ...added.bcc.addresses]) },
        };
        const isAll = bcc.length > 0 || added.shown === 'all';
        return {
          copies: { ...whole, shown: isAll ? 'all' : withCc(whole.cc.addresses).shown },
          suggested: null,
        };
      });
    },
  };
}

/** The addresses of a list with those that are only typed. */
export function everyoneIn({ addresses, typed }: CopyList): string[] {
  return unique([...addresses, ...splitAddresses(typed)]);
}

function withCc(addresses: readonly string[]): Copies {
  return {
    shown: addresses.length > 0 ? 'cc' : 'none',
    cc: { addresses: [...addresses], typed: '' },
    bcc: NOBODY,
  };
}

function unique(addresses: string[]): string[] {
  return [...new Set(addresses)];
}
