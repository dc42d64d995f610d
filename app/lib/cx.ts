/**
 * Class names joined, without those a condition switched off. Parts that take further classes have their own look below the
 * utilities (`globals.css`), so that a further class wins; two utilities of one property are never joined.
 */
export function cx(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}
