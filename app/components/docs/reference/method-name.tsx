import { cx } from '#app/lib/cx.ts';

const tones: Record<string, string> = {
  GET: 'text-good-ink',
  POST: 'text-accent-ink',
  PATCH: 'text-note-ink',
  DELETE: 'text-danger-ink',
};

/** The method of a call. The colour helps to find it again; the word says it. */
export function MethodName({ method, className }: { method: string; className?: string }) {
  return (
    <span
      className={cx('font-mono font-semibold text-[0.6875rem]', tones[method] ?? 'text-ink-soft', className)}
    >
      {method}
    </span>
  );
}
