/** A page's address with a sentence to show there once. */
export function noticed(page: string, notice: string): string {
  return `${page}${page.includes('?') ? '&' : '?'}${new URLSearchParams({ notice })}`;
}
