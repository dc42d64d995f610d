'use client';

import { useQuery } from '@tanstack/react-query';
import { Clock, Tag } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ChangeSelected } from '#app/components/inbox/run-bulk.ts';
import { SnoozeTimes } from '#app/components/inbox/snooze-times.tsx';
import { suggestTags } from '#app/components/inbox/suggest-tags.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { Button, IconButton } from '#app/components/ui/button.tsx';
import { Combobox } from '#app/components/ui/combobox.tsx';
import { useNow } from '#app/components/ui/now-provider.tsx';
import { Popover } from '#app/components/ui/popover.tsx';
import { exactTime } from '#app/lib/format-time.ts';

type Props = { onChange: ChangeSelected };

/** Button whose panel snoozes the selected conversations. */
export function SnoozeSelected({ onChange }: Props) {
  const [open, setOpen] = useState(false);
  const { timeZone } = useNow();
  return (
    <Popover
      control={{ open, onOpenChange: setOpen }}
      trigger={<IconButton icon={Clock} label="Snooze selected" data-shortcut="snooze" />}
      aria-label="Snooze selected"
      side="top"
      className="z-30 w-72 p-3"
    >
      <SnoozeTimes
        onChoose={(until) => {
          setOpen(false);
          onChange({ kind: 'snooze', until }, `snoozed until ${exactTime(until, timeZone)}`);
        }}
      />
    </Popover>
  );
}

/** Button whose panel adds tags to the selected conversations. */
export function TagSelected({ onChange }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <Popover
      control={{ open, onOpenChange: setOpen }}
      trigger={<IconButton icon={Tag} label="Tag selected" data-shortcut="tag" />}
      aria-label="Tag selected"
      side="top"
      className="z-30 w-72 p-3"
    >
      <TagForm
        onTags={(tags) => {
          setOpen(false);
          onChange({ kind: 'tags', tags }, `tagged ${tags.join(', ')}`);
        }}
      />
    </Popover>
  );
}

/** Field for tags, comma-separated, with suggestions of tags in use. */
function TagForm({ onTags }: { onTags: (tags: string[]) => void }) {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const screens = useScreens();
  const { data: known = [] } = useQuery({
    queryKey: ['conversations.tags'],
    queryFn: ({ signal }) => screens.conversations.tags.query(undefined, { signal }),
  });
  useEffect(() => field.current?.focus(), []);
  const add = (typed: string) => {
    const tags = typed
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '');
    if (tags.length > 0) onTags(tags);
  };
  return (
    <form
      className="grid grid-cols-[minmax(0,1fr)_auto] gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        add(text);
      }}
    >
      <Combobox
        ref={field}
        aria-label="Tags to add"
        placeholder="Type a tag, then Enter"
        value={text}
        onText={setText}
        options={suggestTags(known, { typed: text, present: [] }).map((tag) => ({ key: tag, label: tag }))}
        optionsLabel="Tags in use"
        // Complete the text after the last comma.
        onChoose={({ label }) => add([...text.split(',').slice(0, -1), label].join())}
      />
      <Button type="submit">Add</Button>
    </form>
  );
}
