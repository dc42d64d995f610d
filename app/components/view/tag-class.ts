import { cx } from '#app/lib/cx.ts';

/** Returns the classes of a tag: those of its colour, or of a tag without one. Colours are the tints of avatars. */
export function tagClass(tint: number | undefined, className: string): string {
  return cx(
    className,
    tint === undefined ? 'border-line bg-canvas text-ink-soft' : `tint-${tint} border-transparent`,
  );
}
