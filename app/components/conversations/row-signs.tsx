import { CircleDashed } from 'lucide-react';
import { channels } from '#app/components/conversations/channel-icon.tsx';
import type { Channel } from '#server/screens/inbox/views.ts';

type Sign = Channel | 'unassigned';

/** The signs of `RowSign`, drawn once: a list repeats the same few in each row. Once on a page with such a list. */
export function RowSigns() {
  return (
    <svg aria-hidden="true" className="hidden">
      {Object.entries(channels).map(([channel, { icon: Icon }]) => (
        <symbol key={channel} id={`sign-${channel}`} viewBox="0 0 24 24">
          <Icon strokeWidth={1.75} />
        </symbol>
      ))}
      <symbol id="sign-unassigned" viewBox="0 0 24 24">
        <CircleDashed strokeWidth={1.25} />
      </symbol>
    </svg>
  );
}

/** A sign in a row of conversations; its name for those who cannot see it, and on hover. */
export function RowSign({ sign, name }: { sign: Sign; name: string }) {
  return (
    <span title={name} className="row-sign">
      <svg aria-hidden="true">
        <use href={`#sign-${sign}`} />
      </svg>
      <span className="sr-only">{name}</span>
    </span>
  );
}

/** How many tags a row has room for. */
const SHOWN = 2;

/** The first tags of a conversation and how many more it has, in what is left of a row. */
export function TagHints({ tags }: { tags: string[] }) {
  const more = tags.length - SHOWN;
  return (
    <span className="row-tags" title={tags.join(', ') || undefined}>
      {tags.slice(0, SHOWN).map((tag) => (
        <bdi key={tag}>{tag}</bdi>
      ))}
      {more > 0 ? (
        <span className="tabular shrink-0">
          +{more}
          <span className="sr-only"> more tags</span>
        </span>
      ) : null}
    </span>
  );
}
