import type { ServerResponse } from 'node:http';

/**
 * Has a page sent without scripts: for one whose parts are all rendered by the server, where they would only be loaded. It is
 * held back until it is whole, so it must be small.
 */
export function sendWithoutScripts(res: ServerResponse): void {
  const chunks: Buffer[] = [];
  const { end } = res;
  const keep = (chunk: unknown, encoding: unknown) => {
    if (typeof chunk === 'string') {
      chunks.push(Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'));
    } else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  res.write = ((chunk: unknown, ...rest: unknown[]) => {
    keep(chunk, rest[0]);
    const done = rest.find((one) => typeof one === 'function');
    if (typeof done === 'function') process.nextTick(() => done());
    return true;
  }) as typeof res.write;
  res.end = ((...given: unknown[]) => {
    keep(given[0], given[1]);
    const done = given.find((one) => typeof one === 'function') as (() => void) | undefined;
    const page = withoutScripts(Buffer.concat(chunks).toString('utf8'));
    return Reflect.apply(end, res, page === '' ? [done] : [page, 'utf8', done]);
  }) as typeof res.end;
}

/** HTML of our own without its scripts and without what has them loaded ahead. */
export function withoutScripts(html: string): string {
  return without(without(html, '<script', '</script>'), '<link rel="preload" as="script"', '>');
}

function without(html: string, from: string, to: string): string {
  const [first = '', ...others] = html.split(from);
  const kept = others.map((part) => {
    const end = part.indexOf(to);
    return end < 0 ? '' : part.slice(end + to.length);
  });
  return first + kept.join('');
}
