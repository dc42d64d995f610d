import { cx } from '#app/lib/cx.ts';

/** As many pieces as the plan has slots, those in use filled. */
export function SlotBar({ limit, used }: { limit: number; used: number }) {
  const pieces = Array.from({ length: limit }, (_, index) => index + 1);
  return (
    <div
      role="img"
      aria-label={`${Math.min(used, limit)} of ${limit} in use`}
      className="grid auto-cols-fr grid-flow-col gap-1"
    >
      {pieces.map((piece) => (
        <span
          key={piece}
          className={cx(
            'h-2 rounded-sm border',
            piece <= used ? 'border-accent bg-accent' : 'border-line-control',
          )}
        />
      ))}
    </div>
  );
}
