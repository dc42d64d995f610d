import { cx } from '#app/lib/cx.ts';

type Props = { level: 2 | 3; id: string; children: string; className?: string };

/** Heading with an anchor link. */
export function Heading({ level, id, children, className }: Props) {
  const Tag = level === 2 ? 'h2' : 'h3';
  return (
    <Tag id={id} className={cx('group scroll-mt-20', level === 2 ? 'text-xl' : 'text-base', className)}>
      <a
        href={`#${id}`}
        className="rounded-sm hover:underline hover:decoration-line-control hover:underline-offset-4"
      >
        {children}
      </a>
    </Tag>
  );
}
