/** Returns whether the device is a Mac, iPhone or iPad. There Ctrl edits text, and Cmd is the key for commands. */
export function isApple(userAgent = navigator.userAgent): boolean {
  return /Mac|iPhone|iPad/.test(userAgent);
}

/** Returns whether the key for commands is held: Cmd on Apple devices, Ctrl elsewhere. */
export function holdsCommandKey(
  { ctrlKey, metaKey }: { ctrlKey: boolean; metaKey: boolean },
  userAgent = navigator.userAgent,
): boolean {
  return isApple(userAgent) ? metaKey : ctrlKey;
}
