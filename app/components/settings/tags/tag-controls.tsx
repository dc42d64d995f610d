'use client';

import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { limitNewTags, mergeTag, saveTag, setTint } from '#app/components/settings/tags/actions.ts';
import { ActionForm } from '#app/components/ui/action-form.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuTrigger,
} from '#app/components/ui/dropdown-menu.tsx';
import { Field } from '#app/components/ui/field.tsx';
import { FormFooter } from '#app/components/ui/form-footer.tsx';
import { Input } from '#app/components/ui/input.tsx';
import { NameDialog } from '#app/components/ui/name-dialog.tsx';
import { newOrEditButton } from '#app/components/ui/new-or-edit-button.tsx';
import { Switch } from '#app/components/ui/switch.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { useAction } from '#app/components/ui/use-action.ts';
import { useFormAction } from '#app/components/ui/use-form-action.ts';
import { tagClass } from '#app/components/view/tag-class.ts';
import { countedWords, pluralize } from '#app/lib/format-count.ts';
import type { TagView } from '#server/screens/settings/views.ts';

/** Sets who may create tags. Acts immediately. */
export function NewTagsSwitch({ isLimited }: { isLimited: boolean }) {
  const id = useId();
  const { pending, start, chosen } = useAction(limitNewTags, {
    failed: 'Could not change who creates tags',
    done: (_value, to) => (to ? 'Only owners and admins create tags' : 'Everyone creates tags'),
  });
  return (
    <div className="flex items-start justify-between gap-4 px-5 py-4 max-md:px-4">
      <div className="grid gap-0.5">
        <p id={id} className="font-medium">
          Only owners and admins create tags
        </p>
        <p className="text-ink-soft text-list">
          Agents then choose among the tags that exist. Workflows, programs and automations can still add new
          ones.
        </p>
      </div>
      <Switch
        aria-labelledby={id}
        checked={chosen ? chosen[0] : isLimited}
        aria-busy={pending}
        onCheckedChange={start}
        className="mt-px"
      />
    </div>
  );
}

/** Creates a tag, or renames the given one. */
export function TagNameDialog({ tag }: { tag?: TagView }) {
  return (
    <NameDialog
      trigger={newOrEditButton({ name: tag?.name, verb: 'Rename', create: 'New tag' })}
      title={tag ? `Rename the tag ${tag.name}` : 'New tag'}
      placeholder="Refund"
      {...(tag ? { hint: consequences(tag) } : {})}
      name={tag?.name}
      confirm={tag ? 'Rename' : 'Create tag'}
      save={saveTag.bind(null, tag?.key ?? null)}
      onSaved={() => toast.success(tag ? 'Tag renamed' : 'Tag created')}
    />
  );
}

/** Merges a tag into another one, which is typed or chosen. */
export function MergeTagDialog({ tag }: { tag: TagView }) {
  return (
    <Dialog
      trigger={
        <Button variant="quiet" aria-label={`Merge ${tag.name}`}>
          Merge
        </Button>
      }
      title={`Merge the tag ${tag.name}`}
    >
      {(close) => <MergeForm tag={tag} close={close} />}
    </Dialog>
  );
}

function MergeForm({ tag, close }: { tag: TagView; close: () => void }) {
  const [into, setInto] = useState('');
  const screens = useScreens();
  const { data: known = [] } = useQuery({
    queryKey: ['conversations.tags'],
    queryFn: ({ signal }) => screens.conversations.tags.query(undefined, { signal }),
  });
  const [state, submit, pending] = useFormAction(mergeTag.bind(null, tag.key), () => {
    close();
    toast.success(`${tag.name} merged into ${into.trim()}`);
  });
  return (
    <ActionForm state={state} submit={submit} className="grid gap-4">
      <Field
        label="Into the tag"
        hint={`${consequences(tag)} This can’t be undone.`}
        problem={state.fields.into}
      >
        {({ id, describedBy, invalid }) => (
          <>
            <Input
              id={id}
              name="into"
              list={`${id}-tags`}
              autoComplete="off"
              aria-describedby={describedBy}
              aria-invalid={invalid}
              value={into}
              onChange={({ currentTarget }) => setInto(currentTarget.value)}
            />
            <datalist id={`${id}-tags`}>
              {known
                .filter((name) => name !== tag.name)
                .map((name) => (
                  <option key={name} value={name} />
                ))}
            </datalist>
          </>
        )}
      </Field>
      <FormFooter onCancel={close} submit="Merge" busy="Merging" pending={pending} />
    </ActionForm>
  );
}

function consequences({ conversations, automations, workflows }: TagView): string {
  const changed = [
    countedWords(conversations, 'conversation'),
    ...(automations.length > 0 ? [pluralize(automations.length, 'automation')] : []),
  ];
  const kept =
    workflows > 0
      ? ` ${pluralize(workflows, 'workflow')} of the platform still ${workflows === 1 ? 'waits' : 'wait'} for the old tag: change the trigger there.`
      : '';
  return `Changes ${changed.join(', ')} and saved views.${kept}`;
}

const COLORS = ['Red', 'Orange', 'Yellow', 'Green', 'Teal', 'Blue', 'Violet', 'Pink'];

/** Chooses the colour of a tag. Acts immediately. */
export function TagColor({ tagKey, name, tint }: { tagKey: string; name: string; tint: number | null }) {
  const { pending, start, chosen } = useAction(setTint, { failed: 'Could not change the colour' });
  const shown = chosen ? chosen[1] : tint;
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="quiet" aria-label={`Colour of ${name}`} aria-busy={pending}>
          Colour
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuRadioGroup
          value={String(shown)}
          onValueChange={(value) => start(tagKey, value === 'null' ? null : Number(value))}
        >
          <DropdownMenuRadioItem value="null">No colour</DropdownMenuRadioItem>
          {COLORS.map((color, index) => (
            <DropdownMenuRadioItem key={color} value={String(index)}>
              <span className={tagClass(index, 'rounded px-1.5')}>{color}</span>
            </DropdownMenuRadioItem>
          ))}
        </DropdownMenuRadioGroup>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
