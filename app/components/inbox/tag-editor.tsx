'use client';

import { Plus, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useTagTint } from '#app/components/conversations/tag-tints.ts';
import { addTags } from '#app/components/inbox/actions.ts';
import { details } from '#app/components/inbox/details-store.ts';
import type { RefusedTags } from '#app/components/inbox/new-tag.tsx';
import { NewTag } from '#app/components/inbox/new-tag.tsx';
import { saveTag } from '#app/components/inbox/save-tag.ts';
import { useOpenedChange, withValues } from '#app/components/inbox/use-opened-change.ts';
import { withTags } from '#app/components/inbox/with-tags.ts';
import { refetchTopic } from '#app/components/live/page-data.ts';
import { toast } from '#app/components/ui/toast.ts';
import { tagClass } from '#app/components/view/tag-class.ts';
import { notReached } from '#app/lib/outcome.ts';

type Props = { id: string; tags: string[] };

/** Edits tags. Removing a tag can be undone from the toast. */
export function TagEditor({ id, tags }: Props) {
  const { change } = useOpenedChange(id);
  const [adding, setAdding] = useState(false);
  const [refused, setRefused] = useState<RefusedTags | null>(null);
  const isAsked = useStore(details, ({ tagging }) => tagging === id);
  useEffect(() => {
    if (!isAsked) return;
    details.setState({ tagging: null });
    setAdding(true);
  }, [isAsked]);
  const addButton = useRef<HTMLButtonElement>(null);
  const returnsFocus = useRef(false);
  /** Moves the focus to the button when its element was removed, unless the user moved elsewhere. */
  const returnFocus = () => {
    if (document.activeElement === document.body) addButton.current?.focus();
  };
  useEffect(() => {
    if (adding || !returnsFocus.current) return;
    returnsFocus.current = false;
    returnFocus();
  });
  const remove = (tag: string) =>
    change({
      show: withValues({ tags: tags.filter((each) => each !== tag) }),
      save: async () => {
        const isRemoved = await saveTag(id, tag, 'remove');
        if (isRemoved) returnFocus();
        return isRemoved;
      },
    });
  const close = (how: { returnsFocus: boolean }) => {
    setAdding(false);
    setRefused(null);
    returnsFocus.current = how.returnsFocus;
  };
  /** Shows the tags and closes the field immediately. On refusal, opens it again with the tags. */
  const add = (added: string[]) => {
    close({ returnsFocus: true });
    const save = async () => {
      const outcome = await addTags(id, added).catch(notReached);
      if (outcome.done) await refetchTopic('conversations');
      else {
        setRefused({ tags: added, problem: outcome.problem });
        setAdding(true);
        // Also reaches users who moved on to another conversation.
        toast.error('Could not add the tags', { description: outcome.problem });
      }
      return outcome.done;
    };
    change({ show: withValues({ tags: withTags(tags, added) }), save });
  };
  return (
    <div className="grid gap-1.5">
      <span className="text-ink-faint text-xs" id={`tags-${id}`}>
        Tags
      </span>
      <ul aria-labelledby={`tags-${id}`} className="flex flex-wrap gap-1 empty:hidden">
        {tags.map((tag) => (
          <TagChip key={tag} tag={tag} onRemove={() => remove(tag)} />
        ))}
      </ul>
      {adding ? (
        <NewTag present={tags} refused={refused} onClose={close} onAdd={add} />
      ) : (
        <button
          ref={addButton}
          type="button"
          data-shortcut="tag"
          onClick={() => setAdding(true)}
          className="inline-flex h-7 w-fit items-center gap-1 rounded-md px-1.5 text-ink-soft text-list hover:bg-hover hover:text-ink max-md:h-11"
        >
          <Plus aria-hidden size={14} />
          Add tag
        </button>
      )}
    </div>
  );
}

function TagChip({ tag, onRemove }: { tag: string; onRemove: () => void }) {
  return (
    <li
      className={tagClass(
        useTagTint(tag),
        'inline-flex max-w-full items-center rounded-md border pl-1.5 font-medium text-xs max-md:pl-2.5',
      )}
    >
      <span className="min-w-0 truncate">{tag}</span>
      <button
        type="button"
        aria-label={`Remove the tag ${tag}`}
        onClick={onRemove}
        className="focus-inset inline-flex size-6 shrink-0 items-center justify-center rounded-md hover:text-ink max-md:size-11"
      >
        <X aria-hidden size={13} />
      </button>
    </li>
  );
}
