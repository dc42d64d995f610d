'use client';

import { Info } from 'lucide-react';
import { ComposerNotice } from '#app/components/composer/composer-notice.tsx';
import type { Answered } from '#app/components/composer/use-answered.ts';
import type { ComposerView } from '#server/screens/inbox/composer-views.ts';

type Props = {
  view: ComposerView;
  answered: Answered;
  /** The person who wrote last gets a copy of a reply to the contact. */
  isCopied: boolean;
};

/** Says who gets the reply when someone other than the contact wrote, and switches between the two with one click. */
export function AnsweredChoice({ view, answered, isCopied }: Props) {
  const { otherAuthor: other } = view;
  const contact = <bdi className="text-ink">{view.contactName ?? 'the contact'}</bdi>;
  const change = (address: string | null, label: string) => (
    <button
      type="button"
      onClick={() => answered.choose(address)}
      className="rounded-md px-1 font-medium text-accent-ink [overflow-wrap:anywhere] hover:bg-hover max-md:min-h-11"
    >
      {label}
    </button>
  );
  if (answered.address !== null) {
    return (
      <ComposerNotice icon={Info}>
        To <bdi className="text-ink">{answered.address}</bdi>
        {other?.address === answered.address ? ', who wrote last' : ''}{' '}
        {change(null, `Answer ${view.contactName ?? 'the contact'} instead`)}
      </ComposerNotice>
    );
  }
  if (!other) return null;
  return (
    <ComposerNotice icon={Info}>
      <bdi className="text-ink">{other.name}</bdi>
      {other.address === null || other.name === other.address ? '' : ` (${other.address})`} wrote last. Your
      reply goes to {contact}
      {view.channel !== 'email' ? '' : isCopied ? ', with a copy to them' : ', not to them'}.{' '}
      {other.address === null ? null : change(other.address, `Answer ${other.address} instead`)}
    </ComposerNotice>
  );
}
