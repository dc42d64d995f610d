/** A metric of a process whose `METRICS_PORT` this is; 0 while it does not answer. */
export async function readMetric(port: string | number, name: string): Promise<number> {
  const text = await fetch(`http://127.0.0.1:${port}/metrics`).then(
    (response) => response.text(),
    () => '',
  );
  return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? 0);
}

/** The memory that it holds, in MiB. */
export async function readMemory(port: string | number): Promise<number> {
  return (await readMetric(port, 'process_resident_memory_bytes')) / 1024 / 1024;
}
