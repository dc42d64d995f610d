import type { ComponentProps, Ref } from 'react';
import { cx } from '#app/lib/cx.ts';

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input className={cx(controlClass, className)} {...rest} />;
}

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea className={cx('control control-text', className)} {...rest} />;
}

type Props = { ref: Ref<HTMLInputElement>; onPick: (files: File[]) => void };

/** Hidden file input, opened by a button. The same file can be picked again. */
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

export const controlClass = 'control control-line';
