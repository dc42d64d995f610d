import { extendTailwindMerge } from 'tailwind-merge';

/** `text-list` is a size of ours (`--text-list` in `globals.css`); unknown, it would count as a colour and lose to one. */
const merge = extendTailwindMerge({ extend: { theme: { text: ['list'] } } });

/** Class names joined, without those a condition switched off. Of two that set the same property the later one stays. */
export function cx(...names: (string | false | null | undefined)[]): string {
  return merge(names);
}
