import { PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** A file of an archive. `open` is called when its turn comes, so one file is open at a time. */
export type ZipEntry = { path: string; open: () => Promise<Readable> | Readable };

/**
 * Returns a ZIP archive as a stream with backpressure. An entry is requested when the one before it was read. An error of
 * the entries or of a file destroys the stream, and destroying the stream closes the open file.
 */
export function zipOf(entries: AsyncIterable<ZipEntry>): Readable {
  const zip = new ZipFile();
  const output = new PassThrough();
  // Without a listener, an error before the archive is piped would end the process. Who pipes it later gets the error.
  output.on('error', () => {});
  const aborted = new AbortController();
  output.once('close', () => aborted.abort());
  const fail = (error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error)));
  zip.on('error', fail);
  zip.outputStream.pipe(output);
  addEntries(zip, entries, aborted.signal).catch(fail);
  return output;
}

async function addEntries(
  zip: ZipFile,
  entries: AsyncIterable<ZipEntry>,
  signal: AbortSignal,
): Promise<void> {
  for await (const { path, open } of entries) {
    if (signal.aborted) return;
    const source = await open();
    try {
      zip.addReadStream(source, path);
      await finished(source, { signal });
    } finally {
      source.destroy();
    }
  }
  zip.end();
}

/** Returns an entry with a value as JSON. */
export function jsonEntry(path: string, value: unknown): ZipEntry {
  return { path, open: () => Readable.from([Buffer.from(`${JSON.stringify(value, null, 2)}\n`)]) };
}

/** Returns an entry with a JSON array, whose pages are read one after the other. */
export function jsonListEntry(path: string, pages: () => AsyncIterable<object[]>): ZipEntry {
  async function* text(): AsyncGenerator<string> {
    let separator = '[\n';
    for await (const page of pages()) {
      for (const item of page) {
        yield `${separator}${JSON.stringify(item, null, 2)}`;
        separator = ',\n';
      }
    }
    yield separator === ',\n' ? '\n]\n' : '[]\n';
  }
  return { path, open: () => Readable.from(text(), { objectMode: false }) };
}
