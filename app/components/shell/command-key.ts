/** Returns whether the key for commands is held: Cmd, or Ctrl where it doesn't edit text as on a Mac. */
export function holdsCommandKey(
  { ctrlKey, metaKey }: { ctrlKey: boolean; metaKey: boolean },
  userAgent = navigator.userAgent,
): boolean {
  return metaKey || (ctrlKey && !/Mac|iPhone|iPad/.test(userAgent));
}
