/** Formats a file size: `12 bytes`, `340 KB`, `1.2 MB`, `5 GB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  if (bytes < 999_500) return `${Math.round(bytes / 1_000)} KB`;
  if (bytes < 999_950_000) return `${shortened(bytes / 1_000_000)} MB`;
  return `${shortened(bytes / 1_000_000_000)} GB`;
}

function shortened(amount: number): string {
  return amount.toFixed(1).replace(/\.0$/, '');
}
