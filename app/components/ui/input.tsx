import type { ComponentProps, Ref } from 'react';
import { cx } from '#app/lib/cx.ts';

/** A text field. */
export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input className={cx(controlClass, className)} {...rest} />;
}

/** A field for a longer text. */
export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea className={cx('control control-text', className)} {...rest} />;
}

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

/** The look of a text field or select. */
export const controlClass = 'control control-line';
