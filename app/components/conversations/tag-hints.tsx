/** How many tags a row has room for. */
const SHOWN = 2;

/** The first tags of a conversation and how many more it has, in what is left of a row. */
export function TagHints({ tags }: { tags: string[] }) {
  const more = tags.length - SHOWN;
  return (
    <span className="row-tags" title={tags.join(', ') || undefined}>
      {tags.slice(0, SHOWN).map((tag) => (
        <bdi key={tag}>{tag}</bdi>
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
