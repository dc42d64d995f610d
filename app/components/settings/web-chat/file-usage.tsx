import { cx } from '#app/lib/cx.ts';
import { formatSize } from '#app/lib/format-size.ts';

type Props = { usedBytes: number; quotaBytes: number };

/** From so much of its space on a workspace is warned. */
const NEARLY_FULL = 0.9;

/** How much of its space the files of a workspace take, as a bar and in words, and what happens when it is full. */
export function FileUsage({ usedBytes, quotaBytes }: Props) {
  const share = Math.min(1, usedBytes / quotaBytes);
  const usage = `${formatSize(usedBytes)} of ${formatSize(quotaBytes)} used`;
  return (
    <div className="grid gap-2 p-5">
      <p className="tabular text-list">{usage}</p>
      <div
        role="img"
        aria-label={usage}
        className="h-2 overflow-hidden rounded-sm border border-line-control"
      >
        <div
          className={cx('h-full', share < NEARLY_FULL ? 'bg-accent' : 'bg-danger')}
          style={{ width: `${share * 100}%` }}
        />
      </div>
      {share < NEARLY_FULL ? null : <p className="text-danger-ink text-list">{warning(share)}</p>}
    </div>
  );
}

function warning(share: number): string {
  const what =
    share < 1 ? 'File storage is almost full. Once it is full, visitors' : 'File storage is full. Visitors';
  return `${what} can still write but not send files. Ask your administrator for more storage.`;
}
