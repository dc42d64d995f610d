'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { suggestTags } from '#app/components/inbox/suggest-tags.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { Combobox } from '#app/components/ui/combobox.tsx';
import { FieldError } from '#app/components/ui/field.tsx';

/** Tags that were not added, and why. */
export type RefusedTags = { tags: string[]; problem: string };

type Props = {
  present: string[];
  /** Typed before, to be corrected. */
  refused?: RefusedTags | null;
  onAdd: (tags: string[]) => void;
  onClose: (how: { returnsFocus: boolean }) => void;
};

/** Field for new tags, comma-separated, with suggestions of tags in use. */
export function NewTag({ present, refused, onAdd, onClose }: Props) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(refused?.tags.join(', ') ?? '');
  const screens = useScreens();
  const { data: known = [] } = useQuery({
    queryKey: ['conversations.tags'],
    queryFn: ({ signal }) => screens.conversations.tags.query(undefined, { signal }),
  });
  const [problem, setProblem] = useState(refused?.problem ?? null);
  useEffect(() => {
    field.current?.focus();
  }, []);
  const typed = tagsIn(text);
  const add = (tags: string[]) => {
    if (tags.length > 0) onAdd(tags);
  };
  return (
    <div className="grid gap-1.5">
      <Combobox
        ref={field}
        id={id}
        aria-label="New tag"
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? `${id}-problem` : undefined}
        placeholder="Type a tag, then Enter"
        value={text}
        onText={(next) => {
          setText(next);
          setProblem(null);
        }}
        options={suggestTags(known, { typed: text, present }).map((tag) => ({ key: tag, label: tag }))}
        optionsLabel="Tags in use"
        // Complete the text after the last comma.
        onChoose={({ label }) => add(tagsIn([...text.split(',').slice(0, -1), label].join()))}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault();
            add(typed);
          }
          if (event.key === 'Escape') {
            event.preventDefault();
            onClose({ returnsFocus: true });
          }
        }}
        onBlur={() => typed.length === 0 && onClose({ returnsFocus: false })}
        className="md:h-8 md:px-2.5 md:text-list"
      />
      {problem ? <FieldError id={`${id}-problem`}>{problem}</FieldError> : null}
    </div>
  );
}

function tagsIn(text: string): string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}
