/** How many tags a row has room for. */
const SHOWN = 2;

/** The first tags of a conversation and how many more it has, in what is left of a row. */
export function TagHints({ tags }: { tags: string[] }) {
  const more = tags.length - SHOWN;
  return (
    <span className="flex min-w-0 grow items-center justify-end gap-1" title={tags.join(', ') || undefined}>
      {tags.slice(0, SHOWN).map((tag) => (
        <bdi key={tag} className="min-w-0 truncate rounded border bg-canvas px-1 text-ink-soft leading-4.5">
          {tag}
        </bdi>
      ))}
      {more > 0 ? (
        <span className="tabular shrink-0">
          +{more}
          <span className="sr-only"> more tags</span>
        </span>
      ) : null}
    </span>
  );
}
