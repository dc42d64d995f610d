import type { Ref } from 'react';

type Props = { ref: Ref<HTMLInputElement>; onPick: (files: File[]) => void };

/** Picks files; a button beside it opens it. The same file can be picked again. */
export function FileInput({ ref, onPick }: Props) {
  return (
    <input
      ref={ref}
      type="file"
      multiple
      hidden
      onChange={({ currentTarget }) => {
        onPick([...(currentTarget.files ?? [])]);
        currentTarget.value = '';
      }}
    />
  );
}
