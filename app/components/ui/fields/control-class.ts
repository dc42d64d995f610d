/** The look of a text field or select. On phones the text is 16 px, or Safari zooms into it. */
export const controlClass = [
  'h-9 w-full rounded-lg border border-line-control bg-surface px-3 text-ink text-sm max-md:h-11 max-md:text-base',
  'placeholder:text-ink-faint aria-invalid:border-danger-ink',
].join(' ');
