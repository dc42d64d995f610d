import { formatSize } from '#app/lib/format-size.ts';
import type { NewConversationView } from '#server/screens/inbox/composer-views.ts';

type Limits = Pick<NewConversationView, 'filesMax' | 'fileMaxBytes'>;

/** Returns the files that a message can have, and a sentence for each one that is left out. */
export function checkFiles(
  shared: readonly File[],
  { filesMax, fileMaxBytes }: Limits,
): { files: File[]; problems: string[] } {
  const problemOf = ({ name, size }: File) => {
    if (size === 0) return `“${name}” is empty, so it was left out.`;
    // In the units of the product’s other sentences.
    const max = fileMaxBytes / (1024 * 1024);
    if (size > fileMaxBytes)
      return `“${name}” is ${formatSize(size)}, so it was left out. A file can be up to ${max} MB.`;
    return null;
  };
  const good = shared.filter((file) => problemOf(file) === null);
  const problems = shared.flatMap((file) => problemOf(file) ?? []);
  if (good.length > filesMax) {
    const rest = good.length - filesMax;
    problems.push(
      `A message can have up to ${filesMax} files, so the last ${rest === 1 ? 'one was' : `${rest} were`} left out.`,
    );
  }
  return { files: good.slice(0, filesMax), problems };
}
