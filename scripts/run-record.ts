/** A process as it is written down: the identity tells it from a later one with the same number. */
export type RecordedProcess = { name: string; pid: number; identity: string };

/** Who uses a data folder, and the processes it started for it. */
export type RunRecord = { token: string; owner: RecordedProcess; children: RecordedProcess[] };

/** Reads the text of a `run-….json`; undefined for anything else. */
export function parseRunRecord(text: string): RunRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('token' in value) || !('owner' in value) || !('children' in value)) return undefined;
  const { token, owner, children } = value;
  if (typeof token !== 'string' || !isRecordedProcess(owner)) return undefined;
  if (!Array.isArray(children) || !children.every(isRecordedProcess)) return undefined;
  return { token, owner, children };
}

function isRecordedProcess(value: unknown): value is RecordedProcess {
  if (typeof value !== 'object' || value === null) return false;
  if (!('name' in value) || !('pid' in value) || !('identity' in value)) return false;
  return (
    typeof value.name === 'string' && typeof value.pid === 'number' && typeof value.identity === 'string'
  );
}
