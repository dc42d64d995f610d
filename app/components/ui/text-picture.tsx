/** A picture in a text, which opens in a new tab. Without an address, its name is shown: its file was deleted. */
export function TextPicture({ src, name }: { src: string | null; name: string }) {
  if (src === null) return `[${name}]`;
  return (
    <a href={src} target="_blank" rel="noreferrer">
      {/* biome-ignore lint/performance/noImgElement: served unchanged, with access control */}
      <img src={src} alt={name} title={name} loading="lazy" decoding="async" />
    </a>
  );
}
