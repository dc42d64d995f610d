/**
 * The keys of a value and of all that is in it, as paths, sorted: two records have the same shape when these are
 * equal. What `isLeaf` says is not looked into.
 */
export function keyPaths(value: unknown, isLeaf: (path: string) => boolean = () => false, at = ''): string[] {
  if (typeof value !== 'object' || value === null || isLeaf(at)) return [];
  const items = Array.isArray(value)
    ? value.map((item) => ['[]', item] as const)
    : Object.entries(value).map(([key, item]) => [key, item] as const);
  const paths = items.flatMap(([key, item]) => {
    const path = at === '' ? key : `${at}.${key}`;
    return [path, ...keyPaths(item, isLeaf, path)];
  });
  return [...new Set(paths)].sort();
}
