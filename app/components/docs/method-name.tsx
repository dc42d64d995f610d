import { cx } from '#app/lib/cx.ts';

const tones: Record<string, string> = {
  GET: 'text-good-ink',
  POST: 'text-accent-ink',
  PATCH: 'text-note-ink',
  DELETE: 'text-danger-ink',
};

/** HTTP method, colour-coded. */
export function MethodName({ method, small = false }: { method: string; small?: boolean }) {
  return (
    <span
      className={cx(
        'font-mono font-semibold',
        small ? 'text-[0.625rem]' : 'text-[0.6875rem]',
        tones[method] ?? 'text-ink-soft',
      )}
    >
      {method}
    </span>
  );
}
