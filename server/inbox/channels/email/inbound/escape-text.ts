/** A text as HTML that shows it as it was written, line by line. */
export function escapeText(text: string): string {
  const escaped = text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  return `<div style="white-space:pre-wrap">${escaped}</div>`;
}
