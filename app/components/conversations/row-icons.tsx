import { CircleDashed, CornerUpLeft, Eye, Hourglass, PencilLine } from 'lucide-react';
import { channels } from '#app/components/conversations/channel-icon.tsx';
import { useTagTint } from '#app/components/conversations/tag-tints.ts';
import { tagClass } from '#app/components/view/tag-class.ts';
import type { Channel } from '#server/screens/inbox/views.ts';

type IconName = Channel | 'unassigned' | 'your-turn' | 'their-turn' | 'viewing' | 'typing';

/** SVG symbols of the row icons, rendered once per page to keep the rows small. */
export function RowIcons() {
  return (
    <svg aria-hidden="true" className="hidden">
      {Object.entries(channels).map(([channel, { icon: Icon }]) => (
        <symbol key={channel} id={`icon-${channel}`} viewBox="0 0 24 24">
          <Icon strokeWidth={1.75} />
        </symbol>
      ))}
      <symbol id="icon-unassigned" viewBox="0 0 24 24">
        <CircleDashed strokeWidth={1.25} />
      </symbol>
      <symbol id="icon-your-turn" viewBox="0 0 24 24">
        <CornerUpLeft strokeWidth={2} />
      </symbol>
      <symbol id="icon-their-turn" viewBox="0 0 24 24">
        <Hourglass strokeWidth={1.75} />
      </symbol>
      <symbol id="icon-viewing" viewBox="0 0 24 24">
        <Eye strokeWidth={1.75} />
      </symbol>
      <symbol id="icon-typing" viewBox="0 0 24 24">
        <PencilLine strokeWidth={1.75} />
      </symbol>
    </svg>
  );
}

/** Row icon with its name for screen readers and as tooltip. */
export function RowIcon({ icon, name }: { icon: IconName; name: string }) {
  return (
    <span role="img" aria-label={name} title={name} className="row-icon">
      <svg aria-hidden="true">
        <use href={`#icon-${icon}`} />
      </svg>
    </span>
  );
}

const SHOWN_TAGS = 2;

/** Shows the first tags of a conversation and the number of further ones. */
export function TagHints({ tags }: { tags: string[] }) {
  const more = tags.length - SHOWN_TAGS;
  return (
    <span className="row-tags" title={tags.join(', ') || undefined}>
      {tags.slice(0, SHOWN_TAGS).map((tag) => (
        <TagHint key={tag} tag={tag} />
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

function TagHint({ tag }: { tag: string }) {
  return <bdi className={tagClass(useTagTint(tag), '')}>{tag}</bdi>;
}
