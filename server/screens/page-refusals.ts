/**
 * Sentences with which the HTTP server refuses what a page posts, before it reads the body. A server action gets them as plain
 * text.
 */
export const PAGE_REFUSALS = {
  signedOut: 'You are signed out. Sign in in another tab, then try again here.',
  otherSite: 'Only pages of this service can send forms here.',
  noLength: 'The request must say how long its body is.',
  tooLarge: 'This is too large to send: at most 1 MB.',
  tooManyPosts: 'Too much is being sent from here at once. Wait a few seconds and try again.',
  tooManyPages: 'Too many pages are being loaded at once. Wait a few seconds and try again.',
  busy: 'The service is busy. Try again in a few seconds.',
} as const;
