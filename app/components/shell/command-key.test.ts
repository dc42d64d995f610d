import { expect, test } from 'vitest';
import { holdsCommandKey } from '#app/components/shell/command-key.ts';

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const LINUX = 'Mozilla/5.0 (X11; Linux x86_64)';

test.for([
  { userAgent: MAC, ctrlKey: false, metaKey: true, holds: true },
  { userAgent: MAC, ctrlKey: true, metaKey: false, holds: false },
  { userAgent: LINUX, ctrlKey: true, metaKey: false, holds: true },
  { userAgent: LINUX, ctrlKey: false, metaKey: true, holds: false },
  { userAgent: LINUX, ctrlKey: false, metaKey: false, holds: false },
])('Ctrl edits text on a Mac and is for commands elsewhere: $userAgent $ctrlKey $metaKey', (given) => {
  expect(holdsCommandKey(given, given.userAgent)).toBe(given.holds);
});
