import { Card } from '#app/components/ui/card.tsx';
import { cx } from '#app/lib/cx.ts';

/** Placeholder line. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cx('skeleton', className)} />;
}

const rows = ['a', 'b', 'c', 'd', 'e'];

/** Placeholder of a loading table or list. */
export function TableSkeleton({ label }: { label: string }) {
  return (
    <Card className="divide-y" role="status">
      <span className="sr-only">{label}</span>
      {rows.map((row) => (
        <div key={row} className="flex gap-8 px-4 py-4">
          <Skeleton className="w-1/3" />
          <Skeleton className="w-1/4" />
        </div>
      ))}
    </Card>
  );
}
