/**
 * Sentences with which the HTTP server refuses what a page posts, before it reads the body. A server action gets them as plain
 * text.
 */
export const PAGE_REFUSALS = {
  signedOut: 'You are signed out. Sign in in another tab, then try again here.',
  otherWorkspace: 'Another workspace is open. Load the page again.',
  otherSite: 'Only pages of this service can send forms here.',
  noLength: 'The request must say how long its body is.',
  tooLarge: 'This is too large to send: at most 1 MB.',
  tooManyPosts: 'Too much is being sent from here at once. Wait a few seconds and try again.',
  tooManyPages: 'Too many pages are being loaded at once. Wait a few seconds and try again.',
  busy: 'The service is busy. Try again in a few seconds.',
} as const;

/** Header that names the workspace of the page that sends a request. A cross-site page cannot send it without a preflight. */
export const WORKSPACE_HEADER = 'x-workspace-id';
